package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.locks.LeaderElection;
import io.holdfast.node.LockNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** All contracts of a Redis client, run with the client that is on the class path, on real servers. */
public abstract class RedisClientContract {

    private static final ServersBySize SERVERS = new ServersBySize();
    private static final Map<String, NodeOnServer> NODES = new ConcurrentHashMap<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    /** Returns the node whose address has this parameter. */
    private static NodeOnServer on(String parameter) {
        return on(parameter, "node" + parameter.replaceAll("\\W", "-"));
    }

    private static NodeOnServer on(String parameter, String name) {
        return NODES.computeIfAbsent(name, key -> {
            try {
                return NodeOnServer.withStoppedClock(
                        parameter, parameter.isEmpty(), Files.createDirectory(directory.resolve(key)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @AfterAll
    static void stop() {
        SERVERS.close();
        NODES.values().forEach(NodeOnServer::close);
        NODES.clear();
    }

    @Nested
    class Lock extends LockContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    class Contention extends ContentionContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    class Locks extends ComposedLocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    class SharedLocks extends SharedLocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    class Scripts extends OnServer {
        Scripts() {
            super("");
        }
    }

    @Nested
    class Transactions extends OnServer {
        Transactions() {
            super("?locks=transactions");
        }
    }

    @Nested
    class Timestamps extends OnServer {
        Timestamps() {
            super("?locks=timestamps");
        }
    }

    @Nested
    @Tag("evidence")
    class LockByTransactions extends LockContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size, "?locks=transactions");
        }
    }

    @Nested
    @Tag("evidence")
    class LocksByTransactions extends PollingLocks {
        LocksByTransactions() {
            super("?locks=transactions");
        }
    }

    @Nested
    @Tag("evidence")
    class LocksByTimestamps extends PollingLocks {
        LocksByTimestamps() {
            super("?locks=timestamps");
        }
    }

    /** Locks on nodes that send no notifications. */
    private abstract static class PollingLocks extends ComposedLocksContract {

        private final String parameter;

        PollingLocks(String parameter) {
            this.parameter = parameter;
        }

        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size, parameter);
        }

        /**
         * Without a wait queue, a leader that resigns may be elected again at once, so this test closes the leader's
         * election instead.
         */
        @Override
        void election_leaderResignsOrCloses_otherCandidateLeads(Size size) {
            Elected one = new Elected();
            Elected two = new Elected();
            LeaderElection here = LeaderElection.start(lock(client(size)), one);
            eventually("the only candidate leads", () -> one.elected.get() == 1);
            LeaderElection there = LeaderElection.start(lock(client(size)), two);
            assertThat(two.elected).hasValue(0);

            here.close();

            eventually("the other candidate leads", () -> two.elected.get() == 1);
            assertThat(here.leadership()).isEmpty();
            assertThat(there.leadership()).isPresent();
            assertThat(one.elected).hasValue(1);
            assertThat(one.resigned).hasValue(1);
            there.close();
        }
    }

    @Nested
    class LegacyProtocols extends LegacyProtocolsContract {}

    private abstract static class OnServer extends LockNodeContract {

        private final NodeOnServer on;

        OnServer(String parameter) {
            this.on = on(parameter);
        }

        @Override
        protected long clockMicros() {
            return on.clockMicros();
        }

        @Override
        protected LockNode node() {
            return on.node();
        }

        @Override
        protected void letTimePass(Duration duration) {
            on.letTimePass(duration);
        }

        @Override
        protected void expireNow(String resourceName) {
            on.server().exec("DEL", resourceName);
        }
    }

    @Nested
    class Repairs extends RepairOnServer {
        Repairs() {
            super("");
        }
    }

    @Nested
    class RepairsByTransactions extends RepairOnServer {
        RepairsByTransactions() {
            super("?locks=transactions");
        }
    }

    @Nested
    class RepairsByTimestamps extends RepairOnServer {
        RepairsByTimestamps() {
            super("?locks=timestamps");
        }
    }

    private abstract static class RepairOnServer extends RepairContract {

        private final NodeOnServer on;

        RepairOnServer(String parameter) {
            this.on = on(parameter);
        }

        @Override
        protected long clockMicros() {
            return on.clockMicros();
        }

        @Override
        protected LockNode node() {
            return on.node();
        }

        @Override
        protected void expireNow(String resourceName) {
            on.server().exec("DEL", resourceName);
        }
    }

    @Nested
    class Retention extends RetentionOnServer {
        Retention() {
            super("");
        }
    }

    @Nested
    class RetentionByTransactions extends RetentionOnServer {
        RetentionByTransactions() {
            super("?locks=transactions");
        }
    }

    @Nested
    class RetentionByTimestamps extends RetentionOnServer {
        RetentionByTimestamps() {
            super("?locks=timestamps");
        }
    }

    private abstract static class RetentionOnServer extends RetentionContract {

        private final NodeOnServer on;

        RetentionOnServer(String parameter) {
            this.on = on(parameter);
        }

        @Override
        protected long clockMicros() {
            return on.clockMicros();
        }

        @Override
        protected LockNode node() {
            return on.node();
        }

        @Override
        protected void letTimePass(Duration duration) {
            on.letTimePass(duration);
        }
    }

    @Nested
    class Records extends RecordsOnServer {
        Records() {
            super("");
        }
    }

    @Nested
    class RecordsByTransactions extends RecordsOnServer {
        RecordsByTransactions() {
            super("?locks=transactions");
        }
    }

    private abstract static class RecordsOnServer extends RecordContract {

        private final NodeOnServer on;

        RecordsOnServer(String parameter) {
            this.on = on(parameter);
        }

        @Override
        protected LockNode node() {
            return on.node();
        }

        @Override
        protected void letTimePass(Duration duration) {
            on.letTimePass(duration);
        }
    }

    @Nested
    class ForgottenRecords extends ForgottenRecordContract {

        private final NodeOnServer on = new NodeOnServer();

        @Override
        protected LockNode node() {
            return on.node();
        }

        @Override
        protected void startQuarantine() {
            on.server().exec("DEL", "holdfast:marker");
        }

        @Override
        protected long clockMicros() {
            return on.clockMicros();
        }

        @AfterEach
        void stopServer() {
            on.close();
        }
    }

    @Nested
    class WaitQueue extends StandingClaimContract {

        /** Its own, since other tests let time pass on theirs. */
        private final NodeOnServer on = on("", "wait-queue");

        @Override
        protected LockNode node() {
            return on.node();
        }

        @Override
        protected void letTimePass(Duration duration) {
            on.letTimePass(duration);
        }

        @Override
        protected long clockMicros() {
            return on.clockMicros();
        }
    }

    @Nested
    class Connection extends ConnectionContract {}

    @Nested
    class UnfitServer extends UnfitServerContract {}

    @Nested
    class MissingFields extends MissingFieldsContract {}

    @Nested
    class Addresses extends AddressContract {}

    @Nested
    class NamedServers extends NamedServerContract {}

    @Nested
    class Shortage extends ShortageContract {}

    @Nested
    class ManyLeases extends ManyLeasesContract {}

    @Nested
    class Batches extends BatchContract {}

    @Nested
    class NodeStatuses extends NodeStatusContract {}

    @Nested
    class Failover extends FailoverContract {}

    @Nested
    class Tls extends TlsContract {}

    @Nested
    class Cluster extends ClusterContract {}

    @Nested
    @Tag("evidence")
    class SlotMaps extends SlotMapContract {}
}
