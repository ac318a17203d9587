package io.ratelimit.sample;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;

/** A request of somebody who logged in. */
final class AuthenticatedRequest extends HttpServletRequestWrapper {

    private final Account account;

    AuthenticatedRequest(HttpServletRequest request, Account account) {
        super(request);
        this.account = account;
    }

    @Override
    public Principal getUserPrincipal() {
        return account;
    }

    @Override
    public String getRemoteUser() {
        return account.name();
    }

    @Override
    public String getAuthType() {
        return BASIC_AUTH;
    }
}
