package io.holdfast.testkit.fault;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadStartsTest {

    @TempDir
    private Path directory;

    /** Starts threads until the system refuses one, and then until it does not. */
    static final class Program {
        private Program() {}

        public static void main(String[] none) throws InterruptedException {
            System.out.println("up");
            await(false);
            System.out.println("refused");
            await(true);
        }

        private static void await(boolean success) throws InterruptedException {
            while (starts() != success) {
                Thread.sleep(2);
            }
        }

        private static boolean starts() throws InterruptedException {
            Thread thread = new Thread(() -> {});
            try {
                thread.start();
            } catch (OutOfMemoryError refused) {
                return false;
            }
            thread.join();
            return true;
        }
    }

    @Test
    void fail_runningProcess_startsNoThreadUntilItRecovers() throws IOException, InterruptedException {
        assumeTrue(ThreadStarts.isAvailable(), "no C compiler");
        ThreadStarts threads = ThreadStarts.in(directory);
        Path out = directory.resolve("out");
        ProcessBuilder program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        program.environment().putAll(threads.environment());
        Process process = program.start();

        eventually("it is up", () -> Files.readString(out).contains("up"));
        threads.fail();
        eventually("a thread is refused", () -> Files.readString(out).contains("refused"));
        threads.recover();

        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
