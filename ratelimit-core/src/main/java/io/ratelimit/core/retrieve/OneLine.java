package io.ratelimit.core.retrieve;

import io.ratelimit.rules.RulesException;
import java.io.IOException;
import java.nio.file.FileSystemException;

/** Messages that stay one line of the log, whatever a document or a service says in them. */
final class OneLine {

    private OneLine() {}

    static String of(String text) {
        return text.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ");
    }

    /** The message alone where it is made for people, with the exception's name otherwise. */
    static String of(Throwable why) {
        String message = why.getMessage();
        // A file system's exception without a reason has only the path as its message.
        boolean bare = why instanceof FileSystemException e && e.getReason() == null;
        boolean forPeople = why instanceof RulesException || (why instanceof IOException && !bare);
        return of(forPeople && message != null ? message : why.toString());
    }
}
