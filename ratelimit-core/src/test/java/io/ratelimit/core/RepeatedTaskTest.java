package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import org.junit.jupiter.api.Test;

class RepeatedTaskTest {

    @Test
    void aTaskThatThrowsDoesNotEndItsRepetition() {
        Runnable task = mock(Runnable.class);
        doThrow(new OutOfMemoryError("for a moment")).when(task).run();
        FaultLog faults = new FaultLog(RepeatedTaskTest.class, new ManualTimeSource());
        assertThatCode(new RepeatedTask("The sweep failed", task, faults)::run).doesNotThrowAnyException();
        verify(task).run();
    }
}
