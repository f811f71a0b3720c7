package io.holdfast.testkit.fault;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class ThreadStartsTest {

    @TempDir
    private Path directory;

    /** A program that starts threads until a start fails, and then until one succeeds again. */
    static final class Program {
        private Program() {}

        public static void main(String[] none) throws InterruptedException {
            System.out.println("ready");
            await(false);
            System.out.println("failed");
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
            } catch (OutOfMemoryError failed) {
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
        ProcessBuilder program = JavaProcess.of(List.of(), Program.class, List.of())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        program.environment().putAll(threads.environment());
        Process process = program.start();

        eventually("the program is ready", () -> Files.readString(out).contains("ready"));
        threads.fail();
        eventually("a thread start has failed", () -> Files.readString(out).contains("failed"));
        threads.recover();

        assertThat(process.waitFor()).isZero();
        assertThat(out).content().isEqualTo("ready\nfailed\n");
    }
}
