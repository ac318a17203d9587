package io.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountingClassLoaderTest {

    @Test
    void everyBytecodeOfEveryTurnOfALoopIsCounted() throws Exception {
        int before = 2;
        int comparing = 3;
        int body = 8;
        int after = 1;
        Runnable loop = loadedWhere(true);

        assertThat(ExecutedBytecodes.during(loop)).isEqualTo(before + 11 * comparing + 10 * body + after);
        assertThat(loop).hasToString("45");
    }

    @Test
    void aClassThatIsNotCountedAddsNothing() throws Exception {
        assertThat(ExecutedBytecodes.during(loadedWhere(false))).isZero();
    }

    @Test
    void whatAnotherThreadExecutesIsNotCounted() throws Exception {
        Runnable loop = loadedWhere(true);

        assertThat(ExecutedBytecodes.during(() -> runElsewhere(loop))).isZero();
    }

    private static void runElsewhere(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Runnable loadedWhere(boolean counted) throws ReflectiveOperationException {
        String name = SumOfTen.class.getName();
        return (Runnable) new CountingClassLoader(name::equals, any -> counted)
                .loadClass(name)
                .getConstructor()
                .newInstance();
    }

    /** Ten turns. */
    public static final class SumOfTen implements Runnable {

        private int sum;

        @Override
        public void run() {
            for (int i = 0; i < 10; i++) {
                sum += i;
            }
        }

        @Override
        public String toString() {
            return Integer.toString(sum);
        }
    }
}
