package io.holdfast;

import io.holdfast.admin.LockAdmin;
import io.holdfast.client.NodeAddresses;
import io.holdfast.client.NodeProviders;
import io.holdfast.client.PreviousNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuorumConfig;
import io.holdfast.quarantine.QuarantineWatch;
import io.holdfast.quorum.Voters;
import io.holdfast.time.Durations;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The nodes of one client: those of the present set, and those of the set before it, of which there may be none. Each
 * set has a configuration of its own.
 */
record ClientNodes(List<LockNode> present, List<LockNode> previous) {

    /** Returns nodes of the caller, each of which has a name of its own. */
    static ClientNodes of(List<? extends LockNode> present, List<? extends LockNode> previous) {
        NodeAddresses.requireDistinct(List.copyOf(present));
        NodeAddresses.requireDistinct(Voters.of(present, previous).nodes());
        return new ClientNodes(List.copyOf(present), List.copyOf(previous));
    }

    /** The configurations of a client: of one set, or of both sets beside each other. */
    private record Configs(QuorumConfig present, QuorumConfig previous) {

        static Configs of(HoldfastOptions options, int presentNodes, int previousNodes) {
            QuorumConfig present = options.quorumConfig(presentNodes);
            QuorumConfig previous = options.previousConfig(previousNodes);
            return previousNodes == 0
                    ? new Configs(present, previous)
                    : new Configs(present.beside(previous), previous.beside(present));
        }
    }

    private Configs configs(HoldfastOptions options) {
        return Configs.of(options, present.size(), previous.size());
    }

    /** Connects to these addresses, and to those of the options. */
    static ClientNodes connect(
            List<String> present, HoldfastOptions options, Supplier<NodeProviders> clients, SystemTime time) {
        List<String> previous = options.previousNodes();
        NodeAddresses.requireApart(present, previous);
        Configs configs = Configs.of(options, present.size(), previous.size());
        List<LockNode> connected =
                NodeAddresses.connect(present, clients, options.nodeSettings(configs.present()), time);
        if (previous.isEmpty()) {
            return new ClientNodes(connected, List.of());
        }
        try {
            return new ClientNodes(
                    connected,
                    NodeAddresses.connect(previous, clients, options.nodeSettings(configs.previous()), time));
        } catch (RuntimeException | Error e) {
            connected.forEach(LockNode::close);
            throw e;
        }
    }

    /**
     * Returns these nodes with this client's part in ending their quarantines.
     *
     * @param observer a name of this client that no other client has
     * @param listener is called when a quarantine begins and when it ends
     */
    ClientNodes guarded(HoldfastOptions options, String observer, Time time, Consumer<NodeStatus> listener) {
        return new ClientNodes(
                guarded(present, configs(options).present(), options, observer, time, listener),
                guarded(previous, configs(options).previous(), options, observer, time, listener).stream()
                        .<LockNode>map(PreviousNode::new)
                        .toList());
    }

    private static List<LockNode> guarded(
            List<LockNode> nodes,
            QuorumConfig config,
            HoldfastOptions options,
            String observer,
            Time time,
            Consumer<NodeStatus> listener) {
        return nodes.isEmpty() || !options.isGuarded(nodes.size())
                ? nodes
                : QuarantineWatch.ofAll(nodes, config, options.strictFences(), observer, time, listener);
    }

    /** Returns the longest lease that the client may request: the shorter one of those of its sets. */
    Duration longestLease(HoldfastOptions options) {
        return previous.isEmpty()
                ? options.maxLease()
                : Durations.shorter(options.maxLease(), options.previousMaxLease());
    }

    /**
     * Returns the view of an administrator.
     *
     * @param verifyOwn verifies the leases that this client holds on a resource
     */
    LockAdmin admin(HoldfastOptions options, Time time, Consumer<String> verifyOwn) {
        LockAdmin admin =
                new LockAdmin(present, configs(options).present(), options.isGuarded(present.size()), time, verifyOwn);
        return previous.isEmpty()
                ? admin
                : admin.withPrevious(new LockAdmin(
                        previous,
                        configs(options).previous(),
                        options.isGuarded(previous.size()),
                        time,
                        resource -> {}));
    }

    /** Returns all nodes, and the sets whose majorities decide. */
    Voters voters() {
        return Voters.of(present, previous);
    }
}
