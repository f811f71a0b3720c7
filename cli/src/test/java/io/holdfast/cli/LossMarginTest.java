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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests two machines: the holder's is disconnected from the servers, the waiter's is not. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class LossMarginTest {

    private static final String NAME = "job";

    @TempDir
    private Path directory;

    /** Even a command that ignores TERM ends before the lock does. Both commands record the time of the same clock. */
    @Test
    @Tag("evidence")
    void lost_disconnectedMachine_endsItsCommandBeforeTheNextStarts() throws IOException {
        try (RedisServers servers = RedisServers.start(3)) {
            List<FaultProxy> network =
                    servers.uris().stream().map(FaultProxy::to).toList();
            String proxied =
                    network.stream().map(proxy -> proxy.uri().toString()).collect(Collectors.joining(","));
            PackagedCommand disconnected = new PackagedCommand(directory).with(NodesOptions.VARIABLE, proxied);
            PackagedCommand.Running holder = disconnected.start(
                    "run",
                    NAME,
                    "--lease",
                    "5s",
                    "--",
                    "sh",
                    "-c",
                    "trap '' TERM; while :; do date +%s%N >>alive; done");
            eventually("the command runs", () -> Files.exists(directory.resolve("alive")));
            PackagedCommand.Running next =
                    PackagedCommand.on(directory, servers).start("run", NAME, "--", "sh", "-c", "date +%s%N >started");
            eventually("the waiter is queued", new LockKeys(servers, NAME)::hasOneWaiter);

            network.forEach(FaultProxy::hold);

            assertThat(next.end().code()).isZero();
            assertThat(holder.end().code()).isEqualTo(76);
            Beats.in(directory.resolve("alive")).assertEndedBefore(directory.resolve("started"));
            network.forEach(FaultProxy::close);
        }
    }
}
