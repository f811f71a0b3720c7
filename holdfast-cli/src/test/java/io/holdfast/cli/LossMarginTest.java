package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.fault.FaultProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two machines: the holder's is cut off from the servers, the other's is not, and waits. */
class LossMarginTest {

    private static final String NAME = "job";
    private static final String WAIT_QUEUE = "{job}:holdfast:queue";

    @TempDir
    private Path directory;

    /** Not even one that ignores TERM outlives the lock; both write the time of the one clock that they have. */
    @Test
    void lost_machineIsCutOff_itsCommandIsDeadBeforeAnothersBegins() throws IOException {
        try (RedisServers servers = RedisServers.start(3)) {
            List<FaultProxy> network =
                    servers.uris().stream().map(FaultProxy::to).toList();
            String throughNetwork =
                    network.stream().map(proxy -> proxy.uri().toString()).collect(Collectors.joining(","));
            PackagedCommand cutOff = new PackagedCommand(directory).with(NodesOptions.VARIABLE, throughNetwork);
            PackagedCommand.Running holder = cutOff.start(
                    "run",
                    NAME,
                    "--lease",
                    "5s",
                    "--",
                    "sh",
                    "-c",
                    "trap '' TERM; while :; do date +%s%N >>alive; done");
            eventually("it runs", () -> Files.exists(directory.resolve("alive")));
            PackagedCommand.Running next =
                    PackagedCommand.on(directory, servers).start("run", NAME, "--", "sh", "-c", "date +%s%N >begun");
            eventually(
                    "the other waits",
                    () -> "1".equals(String.valueOf(servers.get(0).exec("ZCARD", WAIT_QUEUE))));

            network.forEach(FaultProxy::hold);

            assertThat(next.end().code()).isZero();
            assertThat(holder.end().code()).isEqualTo(76);
            List<String> alive = Files.readAllLines(directory.resolve("alive"));
            long margin =
                    Long.parseLong(Files.readString(directory.resolve("begun")).strip())
                            - Long.parseLong(alive.get(alive.size() - 1));
            assertThat(margin)
                    .as("ns between the last sign of life and the next one's begin")
                    .isPositive();
            network.forEach(FaultProxy::close);
        }
    }
}
