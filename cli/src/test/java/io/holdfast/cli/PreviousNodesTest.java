package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The command while its servers are being changed. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class PreviousNodesTest {

    private static final int REFUSED = 75;
    private static final int FREE = 1;

    @AutoClose
    private final RedisServers servers = RedisServers.start(2);

    @TempDir
    private Path directory;

    private List<String> address(int server) {
        return List.of(servers.addresses().get(server));
    }

    @Test
    void command_lockIsHeldOnEitherSet_isThatOfBoth() throws IOException, InterruptedException {
        PackagedCommand fromEnvironment = new PackagedCommand(directory)
                .with(NodesOptions.VARIABLE, address(0).get(0))
                .with(NodesOptions.PREVIOUS_VARIABLE, address(1).get(0));
        Files.createDirectory(directory.resolve("holdfast"));
        Files.writeString(
                directory.resolve("holdfast/config"),
                "nodes=" + address(0).get(0) + "\nprevious-nodes=" + address(1).get(0) + "\n");
        PackagedCommand fromFile = new PackagedCommand(directory);

        for (int server = 0; server < 2; server++) {
            try (Holdfast alone = Holdfast.connect(address(server), PatientOptions.CLIENT);
                    Lease held = alone.lock("a", PatientOptions.LOCK).acquire()) {
                assertThat(fromEnvironment.run("run", "a", "-n", "--", "true").code())
                        .isEqualTo(REFUSED);
                assertThat(fromFile.run("run", "a", "-n", "--", "true").code()).isEqualTo(REFUSED);
                assertThat(held.isValid()).isTrue();
                assertThat(fromEnvironment.run("status", "a").code()).isZero();
                assertThat(fromFile.run("list").out()).contains("'a'");
                assertThat(fromFile.run("break", "a", "--force").out())
                        .contains("broken")
                        .contains("was free");
                assertThat(fromFile.run("status", "a").code()).isEqualTo(FREE);
            }
        }
        assertThat(fromFile.run("run", "a", "-n", "--", "echo", "in"))
                .isEqualTo(new PackagedCommand.Result(0, "in\n", ""));
    }

    @Test
    void run_serverOfBothSets_exits64WithTheRemedy() {
        PackagedCommand.Result result = new PackagedCommand(directory)
                .run("run", "a", "--nodes", "redis://h:1", "--previous-nodes", "redis://h:1", "--", "true");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err())
                .startsWith("holdfast: --nodes, --previous-nodes: The node redis://h:1 is in the present and in the"
                        + " previous set; let the server take part in the present one with another database");
    }
}
