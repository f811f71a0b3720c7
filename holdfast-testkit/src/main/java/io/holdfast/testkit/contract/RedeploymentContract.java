package io.holdfast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an application with a class loader of its own can be unloaded after its client has been closed. */
public abstract class RedeploymentContract {

    /** A thread, a timer, a hook or a cache that refers to one of its classes would keep all of them in memory. */
    @Test
    void close_applicationIsUndeployed_leavesNoClass(@TempDir Path directory) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        try (RedisServer server = RedisServer.start()) {
            Process container = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-Djava.util.logging.config.file=/dev/null",
                            "-cp",
                            System.getProperty("java.class.path"),
                            RedeployedApplication.class.getName(),
                            server.uri().toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            container.waitFor(2 * Eventually.BOUND.toSeconds(), TimeUnit.SECONDS);
            container.destroyForcibly();
        }
        assertThat(output).hasContent(RedeployedApplication.UNLOADED);
    }
}
