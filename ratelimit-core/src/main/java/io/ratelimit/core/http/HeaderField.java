package io.ratelimit.core.http;

/**
 * One header field of an answer.
 *
 * @param name the field's name
 * @param value its value
 */
public record HeaderField(String name, String value) {}
