package io.ratelimit.core.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.RequestContext;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MatchedRequestTest {

    /** A method that it does not pass on would answer its default, and a rule that asks would go wrong in silence. */
    @Test
    void passesEveryQuestionOn() {
        assertThat(Stream.of(RequestContext.class.getMethods()))
                .allSatisfy(method -> assertThat(
                                MatchedRequest.class.getMethod(method.getName(), method.getParameterTypes()))
                        .returns(MatchedRequest.class, passing -> passing.getDeclaringClass()));
    }
}
