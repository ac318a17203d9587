package io.ratelimit.server.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of the manual, whose examples are run as they stand there. */
record ManualPage(String text) {

    static ManualPage named(String name) throws IOException {
        return new ManualPage(Files.readString(Path.of("../docs", name)));
    }

    /** The first fenced block in a language. */
    String block(String language) {
        Matcher block = Pattern.compile("^```" + language + "\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(text);
        if (!block.find()) {
            throw new AssertionError("the page has no block of " + language);
        }
        return block.group(1);
    }
}
