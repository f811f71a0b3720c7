package io.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The time of lockAtLeastFor outlives a process that is killed after its task. */
@Tag("process")
class KilledProcessTest {

    private static final HoldfastOptions OPTIONS = PatientOptions.CLIENT.toBuilder()
            .restarts(RestartPolicy.UNSAFE_IMMEDIATE)
            .build();
    private static final String JAVA_HOME = System.getProperty("java.home");
    private static final String LOGGING = "java.util.logging.config.file";
    private static final Duration AT_MOST = Duration.ofMinutes(5);

    /** Another process: runs a task, reports its end, and waits to be killed. */
    static final class Task {
        public static void main(String[] addresses) throws Exception {
            provider(Holdfast.connect(List.of(addresses), OPTIONS))
                    .lock(job())
                    .orElseThrow()
                    .unlock();
            System.out.println("unlocked");
            System.in.read();
        }
    }

    /** The provider waits two seconds for the servers, and the first command of a slow machine takes longer. */
    private static HoldfastLockProvider provider(Holdfast holdfast) throws InterruptedException {
        holdfast.lock("first", PatientOptions.LOCK).acquire().close();
        return new HoldfastLockProvider(holdfast);
    }

    private static LockConfiguration job() {
        return new LockConfiguration(ClockProvider.now(), "report", AT_MOST, Duration.ofSeconds(50));
    }

    @Test
    void unlock_processIsKilledAfterwards_isKeptForLockAtLeastFor() throws Exception {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holdfast = Holdfast.connect(servers.addresses(), OPTIONS)) {
            Process task = start(servers);
            try (BufferedReader output = task.inputReader()) {
                assertThat(output.readLine()).isEqualTo("unlocked");
            } finally {
                task.destroyForcibly().waitFor();
            }

            assertThat(provider(holdfast).lock(job())).isEmpty();
            assertThat(holdfast.admin()
                            .status("shedlock:report")
                            .held()
                            .orElseThrow()
                            .timeLeft())
                    .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(50));
        }
    }

    private static Process start(RedisServers servers) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(JAVA_HOME, "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-D" + LOGGING + "=" + System.getProperty(LOGGING, JAVA_HOME + "/conf/logging.properties"),
                "-cp",
                System.getProperty("java.class.path"),
                Task.class.getName()));
        command.addAll(servers.addresses());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
