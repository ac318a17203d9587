package io.ratelimit.client.http;

/** Configures a {@link RetryingFeature}. Not thread-safe. */
public final class RetryingFeatureBuilder extends RetryBuilder<RetryingFeatureBuilder> {

    private boolean holdsBack;

    RetryingFeatureBuilder() {}

    @Override
    RetryingFeatureBuilder self() {
        return this;
    }

    /**
     * Holds all calls to a server back while it wants to be left alone: a call that comes within the time that an answer 429
     * or 503 has stated waits for its end. Where that is longer than the longest wait, or there is no place to wait at, the
     * call is answered with the status of that answer, without being made. For servers that refuse this caller as a whole,
     * rather than some of its users or some of their paths.
     *
     * @return this builder
     */
    public RetryingFeatureBuilder holdBack() {
        this.holdsBack = true;
        return this;
    }

    /**
     * Makes the feature.
     *
     * @return the feature, for one client or several that share what they may wait and repeat
     * @throws IllegalArgumentException if a number or a time is out of its range
     */
    public RetryingFeature build() {
        Retries retries = retries();
        return new RetryingFeature(
                new RetryFilter(retries, holdsBack ? new QuietOrigins() : null),
                retries.settings().mostKeptBytes());
    }
}
