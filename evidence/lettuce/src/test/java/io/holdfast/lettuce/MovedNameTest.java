package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import io.holdfast.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A server that is replaced by one with another address and the same name is found again. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class MovedNameTest {

    @Test
    void acquire_nameLeadsToAnotherAddress_findsTheServer(@TempDir Path directory)
            throws IOException, InterruptedException {
        Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.9 " + MovedName.NAME + "\n");
        Path output = directory.resolve("output");
        try (RedisServer server = RedisServer.start()) {
            // Java keeps each answer for 30 s otherwise.
            List<String> options = List.of("-Dsun.net.inetaddr.ttl=0", "-Djdk.net.hosts.file=" + hosts);
            Process process = JavaProcess.of(
                            options,
                            MovedName.class,
                            List.of(
                                    hosts.toString(),
                                    "127.0.0.1 " + MovedName.NAME + "\n",
                                    Integer.toString(server.port())))
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            process.waitFor(Eventually.BOUND.toSeconds(), TimeUnit.SECONDS);
            process.destroyForcibly();
            assertThat(output).hasContent("moved");
        }
    }
}
