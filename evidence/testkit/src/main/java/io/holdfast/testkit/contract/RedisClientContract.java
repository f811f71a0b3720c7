package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.locks.LeaderElection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All contracts of a Redis client, run with the client that is on the class path, on real servers. */
public abstract class RedisClientContract extends ClientSpecificContract {

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
    static void closeNodes() {
        NODES.values().forEach(NodeOnServer::close);
        NODES.clear();
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

    /** Locks while the nodes are being changed. */
    @Nested
    @Tag("evidence")
    class LocksOnBothSets extends ComposedLocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connectToBothSets(size);
        }
    }

    @Nested
    class ChangeOfNodes extends ChangeOfNodesContract {}

    @Nested
    class SharedLocks extends SharedLocksContract {
        @Override
        protected Holdfast connect(Size size) {
            return SERVERS.connect(size);
        }
    }

    @Nested
    @ParameterizedClass
    @ValueSource(strings = {"", "?locks=transactions", "?locks=timestamps"})
    class Claims extends LockNodeContract {
        Claims(String parameter) {
            super(on(parameter));
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

    /** Locks on nodes that send no notifications. */
    @Nested
    @Tag("evidence")
    @ParameterizedClass
    @ValueSource(strings = {"?locks=transactions", "?locks=timestamps"})
    class PollingLocks extends ComposedLocksContract {

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
        @ParameterizedTest
        @EnumSource
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

    @Nested
    @ParameterizedClass
    @ValueSource(strings = {"", "?locks=transactions", "?locks=timestamps"})
    class Repairs extends RepairContract {
        Repairs(String parameter) {
            super(on(parameter));
        }
    }

    @Nested
    @ParameterizedClass
    @ValueSource(strings = {"", "?locks=transactions", "?locks=timestamps"})
    class Retention extends RetentionContract {
        Retention(String parameter) {
            super(on(parameter));
        }
    }

    @Nested
    @ParameterizedClass
    @ValueSource(strings = {"", "?locks=transactions"})
    class Records extends RecordContract {
        Records(String parameter) {
            super(on(parameter));
        }
    }

    @Nested
    class ForgottenRecords extends ForgottenRecordContract {
        ForgottenRecords() {
            super(new NodeOnServer());
        }
    }

    @Nested
    class WaitQueue extends StandingClaimContract {
        WaitQueue() {
            // Its own, since other tests let time pass on theirs.
            super(on("", "wait-queue"));
        }
    }

    @Nested
    class ManyLeases extends ManyLeasesContract {}

    @Nested
    class NodeStatuses extends NodeStatusContract {}

    @Nested
    class Failover extends FailoverContract {}

    @Nested
    class Cluster extends ClusterContract {}

    @Nested
    @Tag("evidence")
    class SlotMaps extends SlotMapContract {}
}
