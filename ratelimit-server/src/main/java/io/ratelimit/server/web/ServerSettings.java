package io.ratelimit.server.web;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.listen.Listening;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the service is started with.
 *
 * @param listening where it listens
 * @param database where the database is
 * @param publicUrl where browsers find the service, or null where that is where it listens
 * @param trustedProxies the addresses of proxies before the service, whose word on clients is believed
 * @param firstToken the secret of the first admin's token, or null for one that is made at the first start
 * @param newAdminToken whether another admin's token is given out where there are tokens already
 */
public record ServerSettings(
        Listening listening,
        DatabaseSettings database,
        @Nullable URI publicUrl,
        List<String> trustedProxies,
        @Nullable String firstToken,
        boolean newAdminToken) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is none; the message names it and says what would be right
     */
    public ServerSettings {
        trustedProxies = List.copyOf(trustedProxies);
        if (publicUrl != null && (publicUrl.getHost() == null || !isHttp(publicUrl))) {
            throw new IllegalArgumentException(
                    "the public URL is " + publicUrl + ": it must be one such as https://rules.example.org");
        }
    }

    private static boolean isHttp(URI url) {
        return "http".equals(url.getScheme()) || "https".equals(url.getScheme());
    }

    /** Whether browsers come by HTTPS. */
    boolean isSecure() {
        return publicUrl == null ? listening.tls() != null : "https".equals(publicUrl.getScheme());
    }

    /** Shows neither password nor token. */
    @Override
    public String toString() {
        return "ServerSettings[" + listening + ", " + database + "]";
    }
}
