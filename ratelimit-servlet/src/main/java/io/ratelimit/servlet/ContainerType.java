package io.ratelimit.servlet;

import org.jspecify.annotations.Nullable;

/** A class of a container, known by its name alone, since the application need not have it. */
record ContainerType(String name) {

    /** The class itself, where an object is of it or of one that extends it; null where it is not. */
    @Nullable
    Class<?> of(Object object) {
        Class<?> type = object.getClass();
        while (type != null && !type.getName().equals(name)) {
            type = type.getSuperclass();
        }
        return type;
    }
}
