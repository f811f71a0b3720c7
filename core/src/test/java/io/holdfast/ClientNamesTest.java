package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockStatus;
import io.holdfast.event.LockEvent;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeLockStatus.Waiter;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Others see by name who holds a lock and who waits for it, at no further command of an acquisition. */
class ClientNamesTest {

    private static final String LOCK = "orders";
    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofHours(1)).build();

    private static final ClientDescription UNKNOWN = new ClientDescription("unknown", 1, Instant.EPOCH);

    private final VirtualTime time = new VirtualTime();
    private final List<InMemoryNode> nodes =
            Stream.of("a", "b", "c").map(name -> new InMemoryNode(name, time)).toList();
    private final Holdfast observer = client("");
    private final Holdfast first = client("first@host");
    private final Holdfast second = client("second@host");
    private final Holdfast third = client("third@host");

    private Holdfast client(String name) {
        HoldfastOptions options = HoldfastOptions.builder()
                .restarts(RestartPolicy.DURABLE)
                .name(name)
                .build();
        return Holdfast.over(nodes, options, time, new Random(name.hashCode()));
    }

    private LockStatus status() {
        return observer.admin().status(LOCK);
    }

    private Lease held(Holdfast client) {
        var lease = client.lock(LOCK, OPTIONS).acquireAsync();
        time.settle();
        return lease.join();
    }

    private void waits(Holdfast client, Duration after) {
        time.advance(after);
        client.lock(LOCK, OPTIONS).acquireAsync();
        time.settle();
    }

    private static List<String> names(LockStatus status) {
        return status.holders().stream().map(ClientDescription::name).toList();
    }

    @Test
    void status_heldAndAwaited_namesTheHolderAndThoseWhoWaitInTheirOrder() {
        held(first);
        waits(second, Duration.ofSeconds(2));
        Instant secondWaits = Instant.ofEpochMilli(time.now().wallMicros() / 1_000);
        waits(third, Duration.ofSeconds(3));
        time.advance(Duration.ofSeconds(1));

        LockStatus status = status();

        assertThat(names(status)).containsExactly("first@host");
        assertThat(status.holders().get(0).pid())
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(status.queue().stream().map(Waiter::client).map(status.clients()::get))
                .extracting(ClientDescription::name)
                .containsExactly("second@host", "third@host");
        assertThat(status.queue().get(0).since().orElseThrow())
                .isBetween(secondWaits.minusSeconds(1), secondWaits.plusSeconds(1));
        assertThat(observer.admin().list())
                .singleElement()
                .satisfies(listed -> assertThat(names(listed)).containsExactly("first@host"));
    }

    /** The timer fires before the acquisition begins, as on a machine whose threads pause for longer than it runs. */
    @Test
    void status_threadPausedAtTheBeginning_namesTheHolder() {
        Time pausing = new ForwardingTime(time) {
            @Override
            public Timer schedule(Duration delay, Runnable task) {
                Timer timer = super.schedule(delay, task);
                if (delay.equals(Duration.ofMillis(100))) {
                    time.advance(Duration.ofSeconds(1));
                }
                return timer;
            }
        };
        HoldfastOptions options = HoldfastOptions.builder()
                .restarts(RestartPolicy.DURABLE)
                .name("slow@host")
                .build();

        held(Holdfast.over(nodes, options, pausing, new Random(1)));

        assertThat(names(status())).containsExactly("slow@host");
    }

    @Test
    void status_shared_namesAllHolders() {
        Stream.of(first, second)
                .forEach(client -> client.lock(LOCK, OPTIONS).shared().acquireAsync());
        time.advance(Duration.ofSeconds(1));

        assertThat(names(status())).containsExactlyInAnyOrder("first@host", "second@host");
    }

    @Test
    void describe_heldForLong_isNamedUntilThreeMinutesAfterTheEnd() {
        Lease lease = held(first);
        time.advance(Duration.ofMinutes(10));
        assertThat(names(status())).containsExactly("first@host");
        String client = lease.owner().client();

        lease.releaseAsync();
        time.advance(Duration.ofMinutes(2));
        assertThat(known(client)).isTrue();
        time.advance(Duration.ofMinutes(3));
        assertThat(known(client)).isFalse();
    }

    private boolean known(String client) {
        return !nodes.get(0)
                .admin()
                .clients(List.of(client))
                .toCompletableFuture()
                .join()
                .isEmpty();
    }

    @Test
    void describe_nodesHaveForgottenEverything_namesTheHolderAgainWithinAMinute() {
        held(first);
        time.advance(Duration.ofSeconds(1));
        nodes.forEach(node ->
                node.admin().describe(status().held().orElseThrow().clients().get(0), UNKNOWN, Duration.ofMillis(1)));
        time.advance(Duration.ofSeconds(1));
        assertThat(names(status())).isEmpty();

        time.advance(Duration.ofMinutes(1));

        assertThat(names(status())).containsExactly("first@host");
    }

    private static LockTimeoutException refused(Holdfast client, VirtualTime time, Duration limit) {
        var waiting =
                client.lock(LOCK, OPTIONS.toBuilder().waitLimit(limit).build()).acquireAsync();
        time.advance(limit.plusSeconds(1));
        return (LockTimeoutException)
                waiting.handle((lease, failure) -> failure).join();
    }

    @Test
    void acquire_limitEndsAfterASecond_failureNamesTheHolder() {
        held(first);

        LockTimeoutException failure = refused(second, time, Duration.ofSeconds(5));

        assertThat(failure.holder().orElseThrow().name()).isEqualTo("first@host");
        assertThat(failure)
                .hasMessageStartingWith("'orders' is held by first@host, pid "
                        + ProcessHandle.current().pid() + "; waited 5")
                .hasMessageContaining("ms");
    }

    @Test
    void event_limitEndsAfterASecond_namesTheHolder() {
        held(first);
        List<LockEvent.Refused> refusals = new ArrayList<>();
        second.onEvent(event -> {
            if (event instanceof LockEvent.Refused refused) {
                refusals.add(refused);
            }
        });

        refused(second, time, Duration.ofSeconds(5));

        assertThat(refusals)
                .singleElement()
                .satisfies(
                        event -> assertThat(event.holder().orElseThrow().name()).isEqualTo("first@host"));
    }

    @Test
    void acquire_anotherLeaseOfThisClientHoldsIt_failureNamesThisClient() {
        held(first);

        assertThat(refused(first, time, Duration.ofSeconds(5))
                        .holder()
                        .orElseThrow()
                        .name())
                .isEqualTo("first@host");
    }

    /** Otherwise each attempt at a lock that is held would cost further rounds. */
    @Test
    void acquire_shortWaitOrNoNameOfItsOwn_doesNotLookUpTheHolder() {
        held(first);
        time.advance(Duration.ofSeconds(1));

        assertThat(refused(second, time, Duration.ofMillis(500)).holder()).isEmpty();
        assertThat(refused(second, time, Duration.ZERO).holder()).isEmpty();
        assertThat(refused(observer, time, Duration.ofSeconds(5)).holder()).isEmpty();
    }

    @Test
    void acquire_noNodeAnswersWhoHoldsIt_failsWithoutTheNameSoon() {
        held(first);
        List<LockNode> silent = nodes.stream().<LockNode>map(SilentAdmin::new).toList();
        Holdfast client = Holdfast.over(silent, first.options(), time, new Random(5));

        LockTimeoutException failure = refused(client, time, Duration.ofSeconds(5));

        assertThat(failure.holder()).isEmpty();
        assertThat(failure).hasMessageStartingWith("'orders' is held by another; waited 5");
    }

    /** A node whose administration never answers. */
    private static final class SilentAdmin extends ForwardingNode {

        SilentAdmin(InMemoryNode node) {
            super(node);
        }

        @Override
        public NodeAdmin admin() {
            return new NodeAdmin() {
                @Override
                public CompletionStage<NodeLockStatus> inspect(String resource) {
                    return new CompletableFuture<>();
                }
            };
        }
    }

    /** Otherwise one exception would end the naming of the client. */
    @Test
    void describe_oneNodeThrows_isWrittenOnTheOthersAndAgain() {
        List<LockNode> all = new ArrayList<>(nodes);
        all.set(0, new ThrowingAdmin(nodes.get(0)));
        Holdfast client = Holdfast.over(all, first.options(), time, new Random(6));
        Lease lease = held(client);

        time.advance(Duration.ofMinutes(10));

        assertThat(nodes.get(2)
                        .admin()
                        .clients(List.of(lease.owner().client()))
                        .toCompletableFuture()
                        .join())
                .hasSize(1);
    }

    /** A node whose administration throws. */
    private static final class ThrowingAdmin extends ForwardingNode {

        ThrowingAdmin(InMemoryNode node) {
            super(node);
        }

        @Override
        public NodeAdmin admin() {
            throw new IllegalStateException("in a test");
        }
    }

    /** A holder that has gone cannot be looked up, so a client with short holds sends nothing. */
    @Test
    void describe_heldForLessThanATenthOfASecond_writesNothing() {
        Lease lease = held(first);
        time.advance(Duration.ofMillis(50));
        lease.releaseAsync();
        time.advance(Duration.ofSeconds(1));

        assertThat(known(lease.owner().client())).isFalse();
    }

    @Test
    void describe_clientWithoutAName_writesNothing() {
        Lease lease = held(observer);
        time.advance(Duration.ofSeconds(1));

        assertThat(known(lease.owner().client())).isFalse();
        assertThat(status().held()).isPresent();
        assertThat(status().holders()).isEmpty();
    }

    /** Redis keeps a string of up to 44 bytes in one block: enough for 999 clients of one process. */
    @Test
    void owner_ofAClient_namesItAtTheEndAndFitsInOneBlock() {
        Lease lease = held(first);

        assertThat(lease.owner().token()).endsWith("." + lease.owner().client());
        assertThat(lease.owner().token().lastIndexOf('-') + 1 + "999".length()).isLessThanOrEqualTo(44);
        assertThat(lease.owner().retained().client()).isEqualTo(lease.owner().client());
        assertThat(lease.owner().brief()).doesNotContain(lease.owner().client());
    }

    @Test
    void parse_textWithFieldsThatWereAddedSince_readsThoseThatItKnows() {
        ClientDescription known = new ClientDescription("a\u001b[2J@b", 12, Instant.ofEpochMilli(7));

        assertThat(known.name()).isEqualTo("a [2J@b");
        assertThat(ClientDescription.parse(known.text() + "\tmore")).contains(known);
        assertThat(ClientDescription.parse("a [2J@b\t12\t7")).contains(known);
        assertThat(ClientDescription.parse("a\tb\tc")).isEmpty();
        assertThat(ClientDescription.parse("a")).isEmpty();
    }

    /** A later version can see which clients speak an earlier one. */
    @Test
    void text_ofThisVersion_statesTheProtocol() {
        assertThat(UNKNOWN.text()).isEqualTo("unknown\t1\t0\t" + ClientDescription.PROTOCOL);
    }

    @Test
    void name_isLong_isCutBetweenCharacters() {
        String name = "a".repeat(99) + "\ud83d\ude00b";

        assertThat(new ClientDescription(name, 12, Instant.EPOCH).name()).isEqualTo("a".repeat(99) + "...");
    }
}
