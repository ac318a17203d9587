package io.ratelimit.sample;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * Checks HTTP Basic credentials where a request has them, and lets anonymous requests pass. The account's tier becomes
 * the request attribute {@code tier}, which rules can ask for.
 */
public final class BasicAuthenticationFilter extends HttpFilter {

    private static final long serialVersionUID = 1;

    private final transient Accounts accounts = new Accounts();

    /** Made by the container. */
    public BasicAuthenticationFilter() {}

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String authorization = request.getHeader("Authorization");
        if (authorization == null || !Accounts.isBasic(authorization)) {
            chain.doFilter(request, response);
            return;
        }
        Optional<Account> account = accounts.authenticate(authorization);
        if (account.isEmpty()) {
            refuse(response);
            return;
        }
        request.setAttribute("tier", account.get().tier());
        chain.doFilter(new AuthenticatedRequest(request, account.get()), response);
    }

    private static void refuse(HttpServletResponse response) throws IOException {
        response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
        response.setHeader("WWW-Authenticate", "Basic realm=\"orders\", charset=\"UTF-8\"");
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().println("The name or the password is wrong.");
    }
}
