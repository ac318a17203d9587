package io.ratelimit.server.console;

import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.access.Session;
import io.ratelimit.server.rules.ServiceName;
import org.jspecify.annotations.Nullable;

/**
 * What stands around each page: who is signed in, where the page belongs.
 *
 * @param assets where styles and scripts are
 * @param session who is signed in, or null on the page for that
 * @param service the service that the page is about, or null
 */
record Shell(
        Assets assets, @Nullable Session session, @Nullable ServiceName service) {

    String url(String name) {
        return assets.url(name);
    }

    String csrf() {
        return session == null ? "" : session.csrfToken();
    }

    String user() {
        return session == null ? "" : session.token().name();
    }

    boolean isSignedIn() {
        return session != null;
    }

    boolean isAdmin() {
        return session != null && session.token().grant().mayEverywhere(Permission.ADMINISTER);
    }

    boolean mayPublish() {
        return session != null && service != null && new Caller(session.token()).may(Permission.PUBLISH, service);
    }
}
