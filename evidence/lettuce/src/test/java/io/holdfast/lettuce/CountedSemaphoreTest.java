package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.servers.FreePorts;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A semaphore of two permits on three servers, with three clients, each disconnected from a different server. Counting
 * permits on each server would admit three clients; numbered locks admit two.
 */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class CountedSemaphoreTest {

    private static final int PERMITS = 2;
    private static final int NODES = 3;
    private static final LockOptions OPTIONS = PatientOptions.LOCK;

    /** Adds a holder, if there are fewer holders than permits. */
    private static final String COUNT =
            "if redis.call('SCARD', KEYS[1]) < tonumber(ARGV[2]) then return redis.call('SADD', KEYS[1],"
                    + " ARGV[1]) else return 0 end";

    private final RedisServers servers = RedisServers.start(NODES);
    private final List<Holdfast> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Holdfast::close);
        servers.close();
    }

    @Test
    void counted_eachServerAdmitsTwo_threeHaveAMajority() {
        long admitted = IntStream.range(0, NODES)
                .filter(client -> votes(client) > NODES / 2)
                .count();

        assertThat(admitted).isEqualTo(PERMITS + 1);
        servers.forEach(server -> assertThat(server.exec("SCARD", "counted")).isEqualTo((long) PERMITS));
    }

    private long votes(int client) {
        return IntStream.range(0, NODES)
                .filter(node -> node != client)
                .filter(node -> Long.valueOf(1)
                        .equals(servers.get(node)
                                .exec("EVAL", COUNT, "1", "counted", "client-" + client, Integer.toString(PERMITS))))
                .count();
    }

    @Test
    void slots_sameDisconnections_admitTwo() throws InterruptedException {
        List<Lease> admitted = new ArrayList<>();
        for (int client = 0; client < NODES; client++) {
            DistributedSemaphore.of(connect(client), "slots", PERMITS, OPTIONS)
                    .tryAcquire()
                    .ifPresent(admitted::add);
        }

        assertThat(admitted).hasSize(PERMITS);
        assertThat(admitted.stream().map(Lease::resource)).doesNotHaveDuplicates();
    }

    private Holdfast connect(int cutOff) {
        List<String> addresses = new ArrayList<>(servers.addresses());
        addresses.set(cutOff, "redis://127.0.0.1:" + FreePorts.next());
        Holdfast client = Holdfast.connect(addresses, PatientOptions.CLIENT);
        clients.add(client);
        return client;
    }
}
