package io.ratelimit.servlet;

import io.ratelimit.core.QueryParameterCost;

/** A resolver of costs that an application has on its class path. */
public final class PageSize extends QueryParameterCost {

    /** Made by the service loader. */
    public PageSize() {
        super("page-size", "size", 1, 100);
    }
}
