package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastException.NodeReply;
import io.holdfast.time.VirtualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Exceptions keep their contents when they are serialized, as a remote call or a test runner does. */
class ExceptionsTest {

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));

    @Test
    void lockTimeout_writtenAndRead_keepsItsContents() throws Exception {
        holdfast.lock("a").acquireAsync();
        time.settle();
        LockTimeoutException failure = failure(LockTimeoutException.class);

        LockTimeoutException copy = copied(failure);

        assertThat(copy).hasMessage(failure.getMessage());
        assertThat(copy.resource()).isEqualTo("a");
        assertThat(copy.replies()).isEqualTo(failure.replies()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(copy.remainingHold()).isEqualTo(failure.remainingHold()).isPresent();
        assertThat(copy.hasSingleHolder()).isEqualTo(failure.hasSingleHolder());
    }

    @Test
    void quorumUnreachable_writtenAndRead_keepsItsContents() throws Exception {
        nodes.forEach(UnreliableNode::down);
        QuorumUnreachableException failure = failure(QuorumUnreachableException.class);

        QuorumUnreachableException copy = copied(failure);

        assertThat(copy)
                .hasMessage(failure.getMessage())
                .hasMessageContaining("a majority of 2 of 3 nodes has to vote")
                .hasMessageContaining("Check that the servers run");
        assertThat(copy.replies())
                .isEqualTo(failure.replies())
                .extracting(NodeReply::node)
                .contains("node-a");
        assertThat(copy.quorumExpectedIn())
                .isEqualTo(failure.quorumExpectedIn())
                .isEmpty();
    }

    private QuorumUnreachableException quorumFailure(List<UnreliableNode> without) {
        Holdfast client = Holdfast.over(without, HoldfastOptions.DEFAULT, time, new Random(7));
        CompletableFuture<Lease> lease = client.lock(
                        "a",
                        LockOptions.builder().waitLimit(Duration.ofMillis(10)).build())
                .acquireAsync();
        time.advance(Duration.ofSeconds(1));

        return causeOf(lease, QuorumUnreachableException.class);
    }

    @Test
    void quorumUnreachable_ofNodesInQuarantine_keepsTheTime() throws Exception {
        List<UnreliableNode> guarded = List.of(
                UnreliableNode.guarded("a", time),
                UnreliableNode.guarded("b", time),
                UnreliableNode.guarded("c", time));
        QuorumUnreachableException failure = quorumFailure(guarded);

        assertThat(failure)
                .hasMessageContainingAll("in quarantine for", "If all nodes are new", "`holdfast admit`")
                .hasMessageNotContaining("Check that the servers run");
        assertThat(copied(failure).quorumExpectedIn())
                .isEqualTo(failure.quorumExpectedIn())
                .isPresent();
    }

    /** An administrator cannot admit the others of a set that has been in use. */
    @Test
    void quorumUnreachable_oneNodeVotes_doesNotAdviseToAdmitTheOthers() {
        List<UnreliableNode> mixed = List.of(
                UnreliableNode.several(1, time).get(0),
                UnreliableNode.guarded("b", time),
                UnreliableNode.guarded("c", time));

        assertThat(quorumFailure(mixed))
                .hasMessageContaining("in quarantine for")
                .hasMessageNotContaining("admit");
    }

    @Test
    void leaseLost_writtenAndRead_keepsItsContents() throws Exception {
        CompletableFuture<Lease> granted = holdfast.lock("a").acquireAsync();
        time.settle();
        Lease lease = Completed.value(granted);
        lease.limit(Duration.ZERO);

        CompletableFuture<Boolean> extended = lease.extendAsync(Duration.ofSeconds(1));
        time.settle();
        LeaseLostException failure = causeOf(extended, LeaseLostException.class);

        assertThat(copied(failure)).hasMessage(failure.getMessage());
        assertThat(copied(failure).resource()).isEqualTo("a");
    }

    /** Getters must not return null, also where a node had nothing to say. */
    @Test
    void failures_writtenAndRead_haveNoNullGetter() throws Exception {
        nodes.forEach(UnreliableNode::down);
        QuorumUnreachableException unreachable = copied(failure(QuorumUnreachableException.class));
        nodes.forEach(UnreliableNode::up);
        holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofSeconds(1));
        LockTimeoutException held = copied(failure(LockTimeoutException.class));

        for (HoldfastException one : List.of(unreachable, held)) {
            for (Method getter : one.getClass().getDeclaredMethods()) {
                if (Modifier.isPublic(getter.getModifiers()) && getter.getParameterCount() == 0) {
                    assertThat(getter.invoke(one)).as(getter.getName()).isNotNull();
                }
            }
        }
    }

    @Test
    void from_failureOfAFuture_isTheFailureWithTheTraceOfTheCaller() {
        nodes.forEach(UnreliableNode::down);
        QuorumUnreachableException failure = failure(QuorumUnreachableException.class);

        assertThat(HoldfastException.from(new ExecutionException(failure))).isSameAs(failure);
        assertThat(HoldfastException.from(new CompletionException(failure))).isSameAs(failure);
        assertThat(failure.getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("from_failureOfAFuture_isTheFailureWithTheTraceOfTheCaller");
    }

    @Test
    void from_otherFailures_isTheUncheckedCauseOrKeepsTheWrapper() {
        IllegalStateException closed = new IllegalStateException("closed");
        ExecutionException checked = new ExecutionException(new IOException("no"));

        assertThat(HoldfastException.from(new ExecutionException(closed))).isSameAs(closed);
        assertThat(HoldfastException.from(checked))
                .isInstanceOf(IllegalStateException.class)
                .hasCause(checked);
    }

    private <E extends HoldfastException> E failure(Class<E> type) {
        CompletableFuture<Lease> lease = holdfast.lock(
                        "a", LockOptions.builder().waitLimit(Duration.ZERO).build())
                .acquireAsync();
        time.advance(Duration.ofSeconds(1));
        return causeOf(lease, type);
    }

    private static <E extends HoldfastException> E causeOf(CompletableFuture<?> future, Class<E> type) {
        return type.cast(Completed.failure(future));
    }

    @SuppressWarnings({"unchecked", "BanSerializableRead"}) // What this test has written itself.
    private static <T> T copied(T original) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(original);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }
}
