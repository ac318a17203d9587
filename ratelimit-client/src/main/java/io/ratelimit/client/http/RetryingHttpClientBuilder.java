package io.ratelimit.client.http;

import java.net.http.HttpClient;

/** Configures a {@link RetryingHttpClient}. Not thread-safe. */
public final class RetryingHttpClientBuilder extends RetryBuilder<RetryingHttpClientBuilder> {

    private final HttpClient client;

    RetryingHttpClientBuilder(HttpClient client) {
        this.client = client;
    }

    @Override
    RetryingHttpClientBuilder self() {
        return this;
    }

    /**
     * Makes the client.
     *
     * @return the client
     * @throws IllegalArgumentException if a number or a time is out of its range
     */
    public RetryingHttpClient build() {
        return new RetryingHttpClient(client, retries());
    }
}
