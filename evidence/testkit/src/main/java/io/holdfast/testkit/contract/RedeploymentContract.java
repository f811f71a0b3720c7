package io.holdfast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import io.holdfast.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
            List<String> address = List.of(server.uri().toString());
            Process container = JavaProcess.of(List.of(), RedeployedApplication.class, address)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            container.waitFor(2 * Eventually.BOUND.toSeconds(), TimeUnit.SECONDS);
            container.destroyForcibly();
        }
        assertThat(output).hasContent(RedeployedApplication.UNLOADED);
    }
}
