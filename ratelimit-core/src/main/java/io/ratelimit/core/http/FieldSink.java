package io.ratelimit.core.http;

/** Takes the header fields of an answer. */
@FunctionalInterface
public interface FieldSink {

    /**
     * Takes a field.
     *
     * @param name the field's name, told once at most for an answer
     * @param value its value
     */
    void set(String name, String value);
}
