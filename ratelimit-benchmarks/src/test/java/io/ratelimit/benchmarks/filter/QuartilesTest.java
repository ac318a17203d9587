package io.ratelimit.benchmarks.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class QuartilesTest {

    @Test
    void areFiguresOfTheListWhereItIsLongEnough() {
        assertThat(Quartiles.of(DoubleStream.of(5, 1, 4, 2, 3))).isEqualTo(new Quartiles(2, 3, 4));
    }

    @Test
    void lieBetweenTwoFiguresElse() {
        assertThat(Quartiles.of(DoubleStream.of(1, 2))).isEqualTo(new Quartiles(1.25, 1.5, 1.75));
    }

    @Test
    void ofOneFigureAreThatFigure() {
        assertThat(Quartiles.of(DoubleStream.of(7))).isEqualTo(new Quartiles(7, 7, 7));
    }

    @Test
    void oneRoundThatWasDisturbedDoesNotMoveThem() {
        assertThat(Quartiles.of(DoubleStream.of(1, 1, 1, 1, 1_000)).third()).isEqualTo(1);
    }

    @Test
    void ofNothingThereAreNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> Quartiles.of(DoubleStream.empty()));
    }
}
