package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

class ContainerAbortTest {

    @Test
    void aRequestOfAnUnknownContainerIsLeftAlone() {
        HttpServletRequest request = mock();
        HttpServletResponse response = mock();
        assertThat(new ContainerAbort().abort(request, response)).isFalse();
        verifyNoInteractions(request, response);
    }
}
