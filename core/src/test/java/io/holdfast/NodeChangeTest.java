package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.admin.LockStatus;
import io.holdfast.admin.NodeChange;
import io.holdfast.admin.NodeChange.Access;
import io.holdfast.lease.FencingToken;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.NodeStatus.State;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change from one set of nodes to another that is recorded on the nodes. */
class NodeChangeTest {

    private static final String LOCK = "a";
    private static final HoldfastOptions DURABLE =
            HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();

    private static final LockOptions AT_ONCE =
            LockOptions.builder().waitLimit(Duration.ofSeconds(1)).build();

    private static final QuorumConfig PRESENT = new QuorumConfig(3, DURABLE.maxLease());
    private static final QuorumConfig PREVIOUS = new QuorumConfig(1, DURABLE.maxLease());

    private final VirtualTime time = new VirtualTime();
    private final List<InMemoryNode> present =
            Stream.of("1", "2", "3").map(name -> new InMemoryNode(name, time)).toList();
    private final InMemoryNode old = new InMemoryNode("old", time);
    private final Holdfast ofPrevious =
            Holdfast.over(ConfiguredNode.of(List.of(old), PREVIOUS), DURABLE, time, new Random(1));
    private final Holdfast ofPresent = Holdfast.over(ConfiguredNode.of(present, PRESENT), DURABLE, time, new Random(2));
    private final Holdfast ofBoth = Holdfast.over(
            ConfiguredNode.of(present, PRESENT.beside(PREVIOUS)),
            ConfiguredNode.of(List.of(old), PREVIOUS.beside(PRESENT)),
            DURABLE,
            time,
            new Random(3));
    private final NodeChange change = ofBoth.admin().change();

    /** A node whose administration a test changes. */
    private abstract static class AdministeredNode extends ForwardingNode {

        AdministeredNode(LockNode node) {
            super(node);
        }

        CompletionStage<NodeAdmin.Agreement> agree(NodeAdmin admin, String mark, NodeAdmin.Agreement next) {
            return admin.agree(mark, next);
        }

        CompletionStage<NodeAdmin.NamePage> names(NodeAdmin admin, String from) {
            return admin.names(from);
        }

        @Override
        public NodeAdmin admin() {
            NodeAdmin admin = super.admin();
            return new NodeAdmin() {
                @Override
                public CompletionStage<Agreement> agreement() {
                    return admin.agreement();
                }

                @Override
                public CompletionStage<Agreement> agree(String mark, Agreement next) {
                    return AdministeredNode.this.agree(admin, mark, next);
                }

                @Override
                public CompletionStage<NamePage> names(String from) {
                    return AdministeredNode.this.names(admin, from);
                }

                @Override
                public CompletionStage<NodeLockStatus> inspect(String resource) {
                    return admin.inspect(resource);
                }
            };
        }
    }

    /** A node at which something happens before its agreement is changed for the first time. */
    private static final class SlowNode extends AdministeredNode {

        private Runnable before;

        SlowNode(LockNode node, Runnable before) {
            super(node);
            this.before = before;
        }

        @Override
        CompletionStage<NodeAdmin.Agreement> agree(NodeAdmin admin, String mark, NodeAdmin.Agreement next) {
            Runnable first = before;
            before = () -> {};
            first.run();
            return admin.agree(mark, next);
        }
    }

    private CompletableFuture<Lease> request(Holdfast client) {
        CompletableFuture<Lease> lease = client.lock(LOCK, AT_ONCE).acquireAsync();
        time.advance(Duration.ofSeconds(2));
        return lease;
    }

    private Lease acquire(Holdfast client) {
        return Completed.value(request(client));
    }

    private void assertRefused(Holdfast client, String reason) {
        assertThat(request(client))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining(reason);
    }

    private void assertAccess(NodeChange.State state, Access ofPresentNodes, Access ofPreviousNodes) {
        assertThat(state.present()).isEqualTo(ofPresentNodes);
        assertThat(state.previous()).isEqualTo(ofPreviousNodes);
    }

    private void take(int steps) {
        for (int step = 0; step < steps; step++) {
            change.next();
        }
    }

    @Test
    void state_nothingRecorded_acceptsAll() {
        NodeChange.State state = change.state();

        assertAccess(state, Access.ALL, Access.ALL);
        assertThat(state.nodes()).extracting(NodeAnswer::node).containsExactly("1", "2", "3", "old");
    }

    @Test
    void rejection_clientHasAnotherLongestLease_namesBoth() {
        QuorumConfig wrong = PRESENT.beside(new QuorumConfig(1, Duration.ofMinutes(5)));

        assertThat(PRESENT.beside(PREVIOUS).rejectionOf(wrong))
                .isEqualTo("it accepts only clients that also have the set of 1 node (longest lease 60 s), since the"
                        + " servers are being changed; the other set of this client is of 1 node (longest lease 300 s):"
                        + " correct its addresses or its longest lease");
    }

    @Test
    void next_once_presentNodesRejectClientsOfThemAlone() {
        NodeChange.State state = change.next();

        assertAccess(state, Access.BOTH, Access.ALL);
        assertRefused(ofPresent, "it accepts only clients that also have the set of 1 node (longest lease 60 s)");
        acquire(ofPrevious).close();
        acquire(ofBoth).close();
    }

    @Test
    void next_twice_previousNodesRejectClientsOfThemAlone() {
        take(1);

        NodeChange.State state = change.next();

        assertAccess(state, Access.BOTH, Access.BOTH);
        assertRefused(ofPresent, "1 node (longest lease 60 s)");
        assertRefused(ofPrevious, "3 nodes (longest lease 60 s)");
        acquire(ofBoth).close();
    }

    @Test
    void next_threeTimes_presentNodesAcceptAllClients() {
        take(2);

        NodeChange.State state = change.next();

        assertAccess(state, Access.ALL, Access.BOTH);
        assertRefused(ofPrevious, "give this client both sets (--nodes and --previous-nodes)");
        assertRefused(ofPrevious, "this server missed the last step: `holdfast nodes next` completes it");
        acquire(ofPresent).close();
        acquire(ofBoth).close();
        assertAccess(change.next(), Access.ALL, Access.BOTH);
    }

    @Test
    void next_heldByAClientOfThePreviousNodes_waitsForIt() {
        Lease lease = acquire(ofPrevious);
        take(2);

        NodeChange.State waiting = change.next();
        time.advance(Duration.ofMinutes(5));

        assertAccess(waiting, Access.BOTH, Access.BOTH);
        assertThat(waiting.left()).extracting(LockStatus::resource).containsExactly(LOCK);
        assertThat(lease.isValid()).isTrue();
        assertThat(change.next().left()).hasSize(1);
        lease.close();
        assertAccess(change.next(), Access.ALL, Access.BOTH);
    }

    @Test
    void next_sharedWithAClientOfThePreviousNodes_waitsForIt() {
        CompletableFuture<Lease> ofOne = ofPrevious.lock(LOCK, AT_ONCE).shared().acquireAsync();
        CompletableFuture<Lease> ofEach = ofBoth.lock(LOCK, AT_ONCE).shared().acquireAsync();
        time.advance(Duration.ofSeconds(1));
        take(2);

        NodeChange.State waiting = change.next();
        Completed.value(ofOne).close();
        NodeChange.State done = change.next();

        assertThat(waiting.left()).hasSize(1);
        assertAccess(done, Access.ALL, Access.BOTH);
        assertThat(Completed.value(ofEach).isValid()).isTrue();
    }

    @Test
    void next_heldByAClientOfBoth_goesOn() {
        Lease lease = acquire(ofBoth);
        take(3);

        assertAccess(change.state(), Access.ALL, Access.BOTH);
        assertThat(request(ofPresent)).isCompletedExceptionally();
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void next_tokensOfThePreviousNodes_areBelowLaterOnes() {
        Holdfast ahead = Holdfast.over(
                ConfiguredNode.of(List.of(old), PREVIOUS),
                DURABLE,
                new WrongClock(time, Duration.ofSeconds(9)),
                new Random(8));
        Lease last = acquire(ahead);
        last.close();
        take(3);

        Lease first = acquire(ofPresent);

        assertThat(first.fencingToken().isAbove(last.fencingToken())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void back_afterSomeSteps_previousNodesAcceptAllClients(int steps) {
        take(steps);

        NodeChange.State state = change.state();
        for (int step = 0; step < 3; step++) {
            state = change.back();
        }

        assertAccess(state, Access.BOTH, Access.ALL);
        assertRefused(ofPresent, "1 node");
        acquire(ofPrevious).close();
        acquire(ofBoth).close();
    }

    @Test
    void back_heldByAClientOfThePresentNodes_waitsForIt() {
        take(3);
        Lease lease = acquire(ofPresent);

        change.back();
        NodeChange.State waiting = change.back();
        lease.close();
        NodeChange.State done = change.back();

        assertThat(waiting.left()).extracting(LockStatus::resource).containsExactly(LOCK);
        assertAccess(done, Access.BOTH, Access.ALL);
    }

    @Test
    void next_anotherAdministratorGoesBackMeanwhile_fails() {
        take(2);
        NodeChange slow = changeOver(List.of(new SlowNode(old, change::back)));

        assertThatThrownBy(slow::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another administrator has just changed it; see `holdfast nodes status`");

        assertAccess(change.state(), Access.BOTH, Access.ALL);
    }

    @Test
    void next_anotherAdministratorGoesBackBeforeTheLastStep_fails() {
        take(2);
        List<LockNode> slowNodes = present.stream()
                .<LockNode>map(node -> new SlowNode(node, change::back))
                .toList();
        NodeChange slow = Holdfast.over(slowNodes, List.of(old), DURABLE, time, new Random(5))
                .admin()
                .change();

        assertThatThrownBy(slow::next).hasMessageContaining("another administrator");

        assertAccess(change.state(), Access.BOTH, Access.ALL);
    }

    @Test
    void next_noMajorityAnswers_changesNothing() {
        NodeChange blind = changeOver(List.of(new SilentAdmin(old)));

        assertThatThrownBy(blind::next)
                .hasMessage("only 0 of 1 servers have answered; old: a node of this kind does not support this");

        assertThat(blind.state().previous()).isEqualTo(Access.UNKNOWN);
        assertAccess(change.state(), Access.ALL, Access.ALL);
    }

    /** The servers know each other only by the change that was begun on both. */
    @Test
    void next_anotherPreviousSet_isRefused() {
        take(1);
        InMemoryNode wrong = new InMemoryNode("wrong", time);
        NodeChange ofWrong = changeOver(List.of(wrong));

        assertThatThrownBy(ofWrong::next)
                .hasMessageContaining(
                        "the servers wrong have no record of the change of 1, 2, 3; name the servers with which it");

        assertThat(ofWrong.state().obstacle()).contains("the servers wrong have no record of the change of 1, 2, 3");
        assertThat(wrong.admin().agreement().toCompletableFuture().join().mark())
                .isEmpty();
        assertAccess(change.next(), Access.BOTH, Access.BOTH);
        assertThat(change.state().obstacle()).isEmpty();
    }

    /** The present nodes are in use since an earlier change, and another set that is in use would be closed. */
    @Test
    void next_presentNodesWereOpenedByAnotherChange_isRefused() {
        take(3);
        InMemoryNode other = new InMemoryNode("other", time);
        mark(other, "1:earlier/x");
        NodeChange ofOther = changeOver(List.of(other));

        assertThatThrownBy(ofOther::next)
                .hasMessageContaining("the servers other take part in another change than 1, 2, 3");

        assertThat(ofOther.state().obstacle()).contains("the servers other take part in another change");
        acquire(ofPresent).close();
        assertAccess(ofOther.restart(), Access.BOTH, Access.ALL);
    }

    /** A set that was opened by a change is the previous one of the next change. */
    @Test
    void next_previousNodesWereOpenedByAnotherChange_begins() {
        mark(old, "3:earlier/x");

        assertThat(change.state().obstacle()).isEmpty();
        assertAccess(change.next(), Access.BOTH, Access.ALL);
    }

    private static void mark(InMemoryNode node, String mark) {
        node.admin().agree("", new NodeAdmin.Agreement(null, mark, FencingToken.NONE));
    }

    @Test
    void restart_previousNodeHasLostItsData_beginsAgain() {
        take(2);
        old.flush();
        assertThatThrownBy(change::next)
                .hasMessageContaining("If these have lost their data: `holdfast nodes next --again`");

        assertAccess(change.restart(), Access.BOTH, Access.ALL);

        assertAccess(change.next(), Access.BOTH, Access.BOTH);
        assertAccess(change.next(), Access.ALL, Access.BOTH);
    }

    /** The clients of the present nodes go on. */
    @Test
    void restart_previousNodeHasLostItsDataAfterTheLastStep_closesItAgain() {
        take(3);
        old.flush();
        Lease lease = acquire(ofPresent);
        assertThatThrownBy(change::next).hasMessageContaining("the servers old have no record of the change");

        NodeChange.State state = change.restart();

        assertAccess(state, Access.ALL, Access.BOTH);
        assertRefused(ofPrevious, "3 nodes");
        assertThat(lease.isValid()).isTrue();
    }

    /** Both sets accepted clients of them alone, until the present one is closed as well. */
    @Test
    void restart_previousNodesHaveClientsOfTheirOwnAgain_closesBoth() {
        take(3);
        old.flush();
        Lease lease = acquire(ofPrevious);

        NodeChange.State state = change.restart();

        assertAccess(state, Access.BOTH, Access.BOTH);
        assertThat(state.left()).extracting(LockStatus::resource).containsExactly(LOCK);
        assertThat(change.next().left()).hasSize(1);
        lease.close();
        assertAccess(change.next(), Access.ALL, Access.BOTH);
    }

    @Test
    void next_nodeMissedTheLastStep_completesIt() {
        take(2);
        SilentAdmin silent = new SilentAdmin(present.get(2));
        NodeChange without = Holdfast.over(
                        List.of(present.get(0), present.get(1), silent), List.of(old), DURABLE, time, new Random(9))
                .admin()
                .change();
        assertThat(without.next().nodes())
                .extracting(NodeAnswer::value)
                .containsExactly(Access.ALL, Access.ALL, null, Access.BOTH);
        assertThat(change.state().nodes())
                .extracting(NodeAnswer::value)
                .containsExactly(Access.ALL, Access.ALL, Access.BOTH, Access.BOTH);

        assertThat(change.next().nodes())
                .extracting(NodeAnswer::value)
                .containsExactly(Access.ALL, Access.ALL, Access.ALL, Access.BOTH);
    }

    /** A node whose administration does not answer. */
    private static final class SilentAdmin extends ForwardingNode {

        SilentAdmin(LockNode node) {
            super(node);
        }

        @Override
        public NodeAdmin admin() {
            return new NodeAdmin() {};
        }
    }

    @Test
    void apart_locksOfClientsOfOneSet_areThose() {
        acquire(ofPrevious);

        assertThat(change.apart()).extracting(LockStatus::resource).containsExactly(LOCK);
    }

    @Test
    void apart_locksOfClientsOfBoth_areNotThose() {
        acquire(ofBoth);

        assertThat(change.apart()).isEmpty();
    }

    /** The order of a set is another one in each process, and a seed of the simulation would not repeat its run. */
    @Test
    void apart_severalLocks_areAskedForInOrder() {
        List<String> asked = new ArrayList<>();
        LockNode recording = new ForwardingNode(old) {
            @Override
            public NodeAdmin admin() {
                NodeAdmin admin = super.admin();
                return new NodeAdmin() {
                    @Override
                    public CompletionStage<NamePage> names(String from) {
                        return admin.names(from);
                    }

                    @Override
                    public CompletionStage<List<Integer>> marks(List<String> resources) {
                        asked.addAll(resources);
                        return admin.marks(resources);
                    }
                };
            }
        };
        "hgfedcba"
                .chars()
                .forEach(name -> ofPrevious.lock(Character.toString(name)).acquireAsync());
        time.advance(Duration.ofSeconds(1));

        assertThatThrownBy(changeOver(List.of(recording))::apart).hasMessageContaining("not all servers say");

        assertThat(asked).hasSize(8).isSorted();
    }

    @Test
    void next_nodeOfAnotherSet_changesNothing() {
        agree(old, new QuorumConfig(5, DURABLE.maxLease()));

        assertThatThrownBy(change::next)
                .hasMessageContaining("old: it belongs to a set of 5 nodes (longest lease 60 s)");
        assertThat(change.state().present()).isEqualTo(Access.ALL);
    }

    @Test
    void next_nodeOfAnotherChange_changesNothing() {
        agree(old, PREVIOUS.beside(new QuorumConfig(5, DURABLE.maxLease())));

        assertThatThrownBy(change::next).hasMessageContaining("old: it takes part in a change between other sets");
        assertThat(change.state().present()).isEqualTo(Access.ALL);
    }

    @Test
    void next_standingClaimOfAClientOfThePreviousNodes_isNotCarriedOut() {
        Lease held = acquire(ofBoth);
        CompletableFuture<Lease> waiting = ofPrevious.lock(LOCK, AT_ONCE).acquireAsync();
        time.advance(Duration.ofMillis(10));
        take(2);

        CompletableFuture<?> released = held.releaseAsync();
        time.advance(Duration.ofSeconds(2));

        assertThat(released).isCompleted();
        assertThat(waiting).isCompletedExceptionally();
        assertThat(old.ownerOf(LOCK)).isNull();
    }

    private List<InMemoryNode> guarded(String... names) {
        return Stream.of(names).map(name -> InMemoryNode.guarded(name, time)).toList();
    }

    /** Three guarded nodes of which one has forgotten everything after they were closed. */
    private final class Forgetful {

        private final List<InMemoryNode> nodes = guarded("1", "2", "3");
        private final Holdfast alone =
                Holdfast.over(ConfiguredNode.of(nodes, PRESENT), HoldfastOptions.DEFAULT, time, new Random(6));
        private final Holdfast both = Holdfast.over(
                ConfiguredNode.of(nodes, PRESENT.beside(PREVIOUS)),
                ConfiguredNode.of(List.of(old), PREVIOUS.beside(PRESENT)),
                HoldfastOptions.DEFAULT,
                time,
                new Random(7));

        Forgetful() {
            both.admin().admit();
            both.admin().change().next();
            nodes.get(0).flush();
        }
    }

    @Test
    void flush_closedNode_isClosedAgainAfterItsQuarantine() {
        Forgetful forgetful = new Forgetful();

        time.advance(Duration.ofMinutes(2));

        assertThat(forgetful.nodes).allMatch(InMemoryNode::votes);
        assertThat(forgetful.both.admin().change().state().nodes())
                .extracting(NodeAnswer::value)
                .containsExactly(Access.BOTH, Access.BOTH, Access.BOTH, Access.ALL);
    }

    @Test
    void flush_closedNode_isNotAdmittedByAClientThatTheOthersReject() {
        Forgetful forgetful = new Forgetful();
        forgetful.both.close();

        time.advance(Duration.ofMinutes(5));

        assertThat(forgetful.nodes).extracting(InMemoryNode::votes).containsExactly(false, true, true);
        assertThat(forgetful.alone.nodes())
                .extracting(NodeStatus::state)
                .containsExactly(State.QUARANTINED, State.CLOSED, State.CLOSED);
    }

    private static void assertAccesses(NodeChange.State state, @Nullable Access... expected) {
        assertThat(state.nodes()).extracting(NodeAnswer::value).containsExactly(expected);
    }

    private NodeChange guardedChange(List<LockNode> nodes) {
        return Holdfast.over(nodes, List.of(old), HoldfastOptions.DEFAULT, time, new Random(10))
                .admin()
                .change();
    }

    /** The third node misses the last step. */
    private Forgetful withMissedStep() {
        Forgetful set = new Forgetful();
        acquire(ofPrevious).close();
        time.advance(Duration.ofMinutes(2));
        set.both.admin().change().next();
        List<LockNode> nodes = List.of(set.nodes.get(0), set.nodes.get(1), new SilentAdmin(set.nodes.get(2)));
        assertAccesses(guardedChange(nodes).next(), Access.ALL, Access.ALL, null, Access.BOTH);
        assertAccesses(set.both.admin().change().state(), Access.ALL, Access.ALL, Access.BOTH, Access.BOTH);
        return set;
    }

    @Test
    void next_nodeMissedTheLastStep_clientsOfThePresentNodesOpenIt() {
        Forgetful set = withMissedStep();

        time.advance(Duration.ofSeconds(6));

        assertAccesses(set.both.admin().change().state(), Access.ALL, Access.ALL, Access.ALL, Access.BOTH);
        assertThat(set.alone.nodes()).extracting(NodeStatus::state).containsOnly(State.VOTES);
        assertThat(old.fenceBound().isAbove(set.nodes.get(2).fenceBound())).isFalse();
        assertAccesses(set.both.admin().change().next(), Access.ALL, Access.ALL, Access.ALL, Access.BOTH);
    }

    /** One open node proves nothing: it may have missed the step in which the set was closed. */
    @Test
    void next_nodeMissedTheLastStepAndAnotherOneIsSilent_remainsClosed() {
        Forgetful set = withMissedStep();
        set.nodes.get(0).flush();

        time.advance(Duration.ofSeconds(30));

        assertThat(set.alone.nodes())
                .extracting(NodeStatus::state)
                .containsExactly(State.QUARANTINED, State.VOTES, State.CLOSED);
    }

    @Test
    void next_nodeMissedTheLastStepAndAnotherOneForgetsIt_completesIt() {
        Forgetful set = withMissedStep();
        set.nodes.get(0).flush();
        time.advance(Duration.ofSeconds(30));

        assertAccesses(set.both.admin().change().next(), null, Access.ALL, Access.ALL, Access.BOTH);

        time.advance(Duration.ofMinutes(1));
        assertThat(set.alone.nodes()).extracting(NodeStatus::state).containsOnly(State.VOTES);
    }

    @Test
    void next_nodesInQuarantine_takeNoPart() {
        Forgetful set = new Forgetful();
        set.nodes.get(1).flush();

        assertThatThrownBy(set.both.admin().change()::next)
                .hasMessageContaining("only 1 of 3 servers have answered; 1: in quarantine for 66 s more");
        assertAccesses(set.both.admin().change().state(), null, null, Access.BOTH, Access.ALL);
    }

    /** Its copy is of an earlier step. */
    @Test
    void restart_nodeWithAnOlderState_learnsThePresentOne() {
        Forgetful set = new Forgetful();
        time.advance(Duration.ofMinutes(2));
        set.both.admin().change().next();
        set.nodes.get(2).restart(true);
        set.both.admin().change().next();

        time.advance(Duration.ofMinutes(2));

        assertAccesses(set.both.admin().change().state(), Access.ALL, Access.ALL, Access.ALL, Access.BOTH);
    }

    @Test
    void next_nodeForgetsTheStepBeforeTheOthersHaveTakenIt_doesNotCount() {
        Forgetful set = withMissedStep();
        List<LockNode> nodes = List.of(
                set.nodes.get(0),
                new SlowNode(set.nodes.get(1), () -> set.nodes.get(0).flush()),
                new SilentAdmin(set.nodes.get(2)));
        NodeChange slow = guardedChange(nodes);

        assertThatThrownBy(slow::back).hasMessageContaining("only 1 of 3 servers were changed; 1: in quarantine");
    }

    /** A node that opens only when {@link #opening} is run. */
    private static final class LateNode extends AdministeredNode {

        private Runnable opening = () -> {};

        LateNode(LockNode node) {
            super(node);
        }

        @Override
        CompletionStage<NodeAdmin.Agreement> agree(NodeAdmin admin, String mark, NodeAdmin.Agreement next) {
            if (next.config() == null) {
                return admin.agree(mark, next);
            }
            CompletableFuture<NodeAdmin.Agreement> late = new CompletableFuture<>();
            opening = () -> admin.agree(mark, next).thenAccept(late::complete);
            return late;
        }
    }

    /** The client has asked the other nodes before they were closed, and opens this one when they are. */
    @Test
    void back_clientOpensANodeMeanwhile_doesNotCountIt() {
        Forgetful set = withMissedStep();
        time.advance(Duration.ofSeconds(6));
        set.alone.close();
        LateNode late = new LateNode(set.nodes.get(2));
        Holdfast.over(List.of(set.nodes.get(0), set.nodes.get(1), late), HoldfastOptions.DEFAULT, time, new Random(12));
        List<LockNode> nodes = List.of(
                set.nodes.get(2),
                new SlowNode(set.nodes.get(1), () -> time.advance(Duration.ofSeconds(6))),
                new SilentAdmin(set.nodes.get(0)));
        NodeChange slow = guardedChange(nodes);

        assertThatThrownBy(slow::back).hasMessageContaining("only 1 of 3 servers were changed; 3: another");
        late.opening.run();

        assertThat(set.both.admin().change().state().present()).isEqualTo(Access.ALL);
    }

    /** The other set accepts clients of it alone. */
    @Test
    void admit_clientOfOneSet_opensNoClosedNode() {
        Forgetful set = new Forgetful();

        assertThat(set.alone.admin().admit())
                .extracting(NodeAnswer::error)
                .allMatch(
                        error -> error.contains("2 of 3 already vote") || error.contains("give this client both sets"));

        assertAccesses(set.both.admin().change().state(), null, Access.BOTH, Access.BOTH, Access.ALL);
    }

    /** An administrator may be going to change a node of the set that it was, whose mark he has read. */
    @Test
    void admit_clientOfAnotherSet_givesTheNodeAnotherMark() {
        Forgetful set = new Forgetful();
        InMemoryNode node = set.nodes.get(2);
        String before = markOf(node);
        HoldfastOptions guarded =
                HoldfastOptions.builder().restarts(RestartPolicy.QUARANTINE).build();

        Holdfast.over(ConfiguredNode.of(List.of(node), PREVIOUS), guarded, time, new Random(14))
                .admin()
                .admit();

        assertThat(markOf(node)).isNotEqualTo(before);
    }

    private static String markOf(InMemoryNode node) {
        return node.admin().agreement().toCompletableFuture().join().mark();
    }

    /** Each of them gives the node its own mark, and starts again if it finds another one. */
    @Test
    void next_nodeMissedTheLastStepAndAnotherOneHangs_isOpenedByManyClients() {
        QuorumConfig five = new QuorumConfig(5, DURABLE.maxLease());
        List<InMemoryNode> nodes = guarded("1", "2", "3", "4", "5");
        Holdfast both = Holdfast.over(
                ConfiguredNode.of(nodes, five.beside(PREVIOUS)),
                ConfiguredNode.of(List.of(old), PREVIOUS.beside(five)),
                HoldfastOptions.DEFAULT,
                time,
                new Random(15));
        both.admin().admit();
        both.admin().change().next();
        both.admin().change().next();
        guardedChange(List.of(nodes.get(0), nodes.get(1), nodes.get(2), nodes.get(3), new SilentAdmin(nodes.get(4))))
                .next();
        List<LockNode> seen = Stream.concat(
                        Stream.<LockNode>of(new SilentNode()), ConfiguredNode.of(nodes.subList(1, 5), five).stream())
                .toList();

        for (int client = 0; client < 10; client++) {
            Holdfast.over(seen, HoldfastOptions.DEFAULT, time, new Random(16 + client));
            time.advance(Duration.ofMillis(500));
        }

        assertAccesses(
                both.admin().change().state(), Access.ALL, Access.ALL, Access.ALL, Access.ALL, Access.ALL, Access.BOTH);
    }

    /** A node that forgets a lock when it is asked for the names of its locks. */
    private static final class ForgettingNode extends AdministeredNode {

        private final InMemoryNode node;

        ForgettingNode(InMemoryNode node) {
            super(node);
            this.node = node;
        }

        @Override
        CompletionStage<NodeAdmin.NamePage> names(NodeAdmin admin, String from) {
            node.flush();
            return admin.names(from);
        }
    }

    /** Acquires the lock for a client of the present nodes that the third one does not answer. */
    private void acquireOnFirstTwo(List<InMemoryNode> nodes) {
        List<LockNode> seen = Stream.concat(
                        ConfiguredNode.of(nodes.subList(0, 2), PRESENT).stream(), Stream.<LockNode>of(new SilentNode()))
                .toList();
        acquire(Holdfast.over(seen, HoldfastOptions.DEFAULT, time, new Random(17)));
    }

    /** The lock of the client of the present nodes is on the first two. */
    @Test
    void back_nodeForgetsItsLocksBeforeItListsThem_opensNoNode() {
        Forgetful set = withMissedStep();
        time.advance(Duration.ofSeconds(6));
        set.alone.close();
        acquireOnFirstTwo(set.nodes);
        set.both.admin().change().back();
        List<LockNode> nodes =
                List.of(new ForgettingNode(set.nodes.get(0)), new SilentAdmin(set.nodes.get(1)), set.nodes.get(2));

        assertThatThrownBy(guardedChange(nodes)::back)
                .hasMessageContaining("only 1 of 3 servers were changed; 1: in quarantine");

        assertThat(set.both.admin().change().state().previous()).isEqualTo(Access.BOTH);
    }

    /** One node of them still names the change. */
    @Test
    void restart_mostPreviousNodesHaveLostTheirDataAfterTheLastStep_closesThemAgain() {
        NodeChange toOne = changedToOne(present);
        present.subList(0, 2).forEach(InMemoryNode::flush);
        assertThatThrownBy(toOne::next).hasMessageContaining("the servers 1, 2, 3 have no record of the change of old");

        assertAccess(toOne.restart(), Access.ALL, Access.BOTH);
    }

    private static void takePartInAnotherChange(InMemoryNode node) {
        node.admin()
                .agree(
                        markOf(node),
                        new NodeAdmin.Agreement(
                                PRESENT.beside(new QuorumConfig(5, DURABLE.maxLease())),
                                "1:earlier/x",
                                FencingToken.NONE));
    }

    @Test
    void restart_nodeOfAnEarlierChange_learnsThePresentOne() {
        Forgetful set = new Forgetful();
        time.advance(Duration.ofMinutes(2));
        takePartInAnotherChange(set.nodes.get(2));
        set.nodes.get(2).restart(true);

        time.advance(Duration.ofMinutes(2));

        assertAccesses(set.both.admin().change().state(), Access.BOTH, Access.BOTH, Access.BOTH, Access.ALL);
        assertThat(set.both.nodes()).extracting(NodeStatus::state).containsOnly(State.VOTES);
    }

    @Test
    void next_nodeOfAnEarlierChange_takesTheNextStepOfItsSet() {
        Forgetful set = new Forgetful();
        time.advance(Duration.ofMinutes(2));
        takePartInAnotherChange(set.nodes.get(2));

        assertAccesses(set.both.admin().change().next(), Access.BOTH, Access.BOTH, null, Access.BOTH);
        assertAccesses(set.both.admin().change().next(), Access.ALL, Access.ALL, Access.ALL, Access.BOTH);
    }

    /** The admission was sent before the node was closed. */
    @Test
    void probe_lateAdmissionByAClientOfOneSet_doesNotOpenTheNode() {
        Forgetful set = new Forgetful();
        InMemoryNode node = set.nodes.get(2);

        assertThat(node.probe(QuarantineProbe.admission("admin", FencingToken.NONE, PRESENT)))
                .isCompletedWithValueMatching(standing -> standing instanceof NodeStanding.Unknown);

        assertAccesses(set.both.admin().change().state(), null, Access.BOTH, Access.BOTH, Access.ALL);
    }

    /** A change from three nodes to one, after its last step. */
    private NodeChange changedToOne(List<? extends LockNode> three) {
        NodeChange toOne = durableChange(List.of(old), three);
        toOne.next();
        toOne.next();
        toOne.next();
        return toOne;
    }

    @Test
    void next_oneOfTwoPreviousNodesHasLostItsDataAfterTheLastStep_closesOnlyThat() {
        NodeChange toOne = changedToOne(present.subList(0, 2));
        present.get(0).flush();

        assertAccesses(toOne.next(), Access.ALL, Access.BOTH, Access.BOTH);
    }

    @Test
    void restart_presentNodesHaveLostTheirDataAfterTheLastStep_remainOpen() {
        take(3);
        present.subList(0, 2).forEach(InMemoryNode::flush);
        assertThatThrownBy(change::next)
                .hasMessageContaining("the servers 1, 2, 3 have no record of the change of old");

        assertAccess(change.restart(), Access.ALL, Access.BOTH);

        assertAccess(change.next(), Access.ALL, Access.BOTH);
    }

    /** The previous nodes have accepted clients of them alone again; the lock of one is on the first two. */
    @Test
    void restart_nodeForgetsItsLocksBeforeItListsThem_closesBoth() {
        List<InMemoryNode> three = guarded("1", "2", "3");
        changedToOne(three);
        three.forEach(InMemoryNode::flush);
        Holdfast.over(ConfiguredNode.of(three, PRESENT), HoldfastOptions.DEFAULT, time, new Random(18))
                .admin()
                .admit();
        acquireOnFirstTwo(three);
        List<LockNode> nodes = List.of(new ForgettingNode(three.get(0)), new SilentAdmin(three.get(1)), three.get(2));
        NodeChange toOne = Holdfast.over(List.of(old), nodes, HoldfastOptions.DEFAULT, time, new Random(20))
                .admin()
                .change();

        assertThatThrownBy(toOne::restart).hasMessageContaining("only 1 of 3 servers were changed");

        assertThat(toOne.state().present()).isEqualTo(Access.BOTH);
    }

    /** A node that cannot be changed. */
    private static final class RefusingNode extends AdministeredNode {

        RefusingNode(LockNode node) {
            super(node);
        }

        @Override
        CompletionStage<NodeAdmin.Agreement> agree(NodeAdmin admin, String mark, NodeAdmin.Agreement next) {
            return CompletableFuture.failedFuture(new IllegalStateException("out of memory"));
        }
    }

    /** The numbers of its marks were counted on the present nodes alone. */
    @Test
    void next_earlierBeginningReachedOneNode_isForgotten() {
        NodeChange first = durableChange(
                List.of(present.get(0), new RefusingNode(present.get(1)), new RefusingNode(present.get(2))),
                List.of(old));
        assertThatThrownBy(first::next).hasMessageContaining("only 1 of 3 servers were changed");
        NodeChange second =
                durableChange(List.of(new SilentAdmin(present.get(0)), present.get(1), present.get(2)), List.of(old));
        second.next();
        NodeChange third =
                durableChange(List.of(present.get(0), present.get(1), new SilentAdmin(present.get(2))), List.of(old));

        assertAccess(third.next(), Access.BOTH, Access.BOTH);
    }

    @Test
    void change_oneSet_isRefused() {
        assertThatThrownBy(() -> ofPresent.admin().change())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("--previous-nodes");
    }

    private NodeChange changeOver(List<? extends LockNode> previous) {
        return durableChange(present, previous);
    }

    private NodeChange durableChange(List<? extends LockNode> to, List<? extends LockNode> from) {
        return Holdfast.over(to, from, DURABLE, time, new Random(4)).admin().change();
    }

    private static void agree(InMemoryNode node, QuorumConfig config) {
        NodeAdmin admin = node.admin();
        admin.agree("", new NodeAdmin.Agreement(config, "mark", FencingToken.NONE));
    }
}
