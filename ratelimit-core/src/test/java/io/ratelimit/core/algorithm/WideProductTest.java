package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class WideProductTest {

    @Property(tries = 2_000)
    void dividesExactly(
            @ForAll @LongRange(max = Long.MAX_VALUE) long a,
            @ForAll @LongRange(max = Long.MAX_VALUE) long b,
            @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long divisor) {
        BigInteger product = BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
        BigInteger[] exact = product.divideAndRemainder(BigInteger.valueOf(divisor));
        Assume.that(exact[0].bitLength() < Long.SIZE - 1);
        long quotient = exact[0].longValueExact();
        WideProduct wide = WideProduct.of(a, b);
        assertThat(wide.dividedBy(divisor)).isEqualTo(quotient);
        assertThat(wide.dividedByRoundingUp(divisor)).isEqualTo(quotient + exact[1].signum());
    }
}
