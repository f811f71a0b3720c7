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

/** A server is found at each address of its name, also after the name was given another one. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class MovedNameTest {

    private static final String ELSEWHERE = "127.0.0.9 " + MovedName.NAME + "\n";
    private static final String SERVER = "127.0.0.1 " + MovedName.NAME + "\n";

    @Test
    void acquire_nameLeadsToAnotherAddress_findsTheServer(@TempDir Path directory)
            throws IOException, InterruptedException {
        acquire(directory, ELSEWHERE, SERVER);
    }

    /** As where a name has an address of IPv6 that does not lead to the server. */
    @Test
    void acquire_firstAddressOfTheNameLeadsNowhere_usesTheNext(@TempDir Path directory)
            throws IOException, InterruptedException {
        acquire(directory, ELSEWHERE + SERVER, ELSEWHERE + SERVER);
    }

    private static void acquire(Path directory, String before, String after) throws IOException, InterruptedException {
        Path hosts = Files.writeString(directory.resolve("hosts"), before);
        Path output = directory.resolve("output");
        try (RedisServer server = RedisServer.start()) {
            // Java keeps each answer for 30 s otherwise.
            List<String> options = List.of("-Dsun.net.inetaddr.ttl=0", "-Djdk.net.hosts.file=" + hosts);
            Process process = JavaProcess.of(
                            options, MovedName.class, List.of(hosts.toString(), after, Integer.toString(server.port())))
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            process.waitFor(Eventually.BOUND.toSeconds(), TimeUnit.SECONDS);
            process.destroyForcibly();
            assertThat(output).hasContent("moved");
        }
    }
}
