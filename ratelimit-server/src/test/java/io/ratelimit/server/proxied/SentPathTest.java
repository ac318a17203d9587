package io.ratelimit.server.proxied;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentPathTest {

    @ParameterizedTest
    @CsvSource({
        "/api/orders, /api/orders",
        "/, /",
        "'', /",
        "//api//orders/, /api/orders",
        "/./api/x/../orders/., /api/orders",
        "/../../api/orders, /api/orders",
        "/api/x/%2e%2E/%6frders, /api/orders",
        "/x%2f..%2fapi/orders, /api/orders",
        "/api;v=1/orders;x=1, /api/orders",
        "/x/..;/api/orders, /api/orders",
        "/;/api/orders, /api/orders",
        "/api%3Bv/orders, /api;v/orders",
        "/%61pi/%zz%, /api/%zz%",
        "/%61pi/%ff, /api/\uFFFD",
        "/caf%C3%A9, /café",
        "/%252e%252e/api, /%2e%2e/api",
        "*, /*",
    })
    void readsWhateverAnyServerReads(String sent, String resolved) {
        assertThat(new SentPath(sent).resolved()).isEqualTo(resolved);
    }
}
