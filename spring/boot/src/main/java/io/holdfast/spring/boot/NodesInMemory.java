package io.holdfast.spring.boot;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.Time;
import java.lang.System.Logger.Level;
import java.util.List;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;

/**
 * The node of {@code holdfast.nodes=memory:}, for tests and a developer's machine. Each client has its own, so only its
 * application context sees the locks.
 */
final class NodesInMemory implements NodeProvider {

    private static final System.Logger LOG = System.getLogger(NodesInMemory.class.getName());
    private static final String ADDRESS = "memory:";
    private static final String NAME = "memory";

    /** Credentials and certificates of other profiles do not matter to it. */
    static final NodeSource SOURCE = new NodeSource(
            List.of(ADDRESS + "//" + NAME),
            List.of(),
            null,
            null,
            new HoldfastProperties.Sentinel(null, null),
            null,
            false);

    /**
     * Returns {@code true} if the addresses are that of this node.
     *
     * @throws ConfigurationException if there are others as well
     */
    static boolean areIn(List<String> addresses) {
        boolean found = addresses.stream().anyMatch(address -> address.strip().equals(ADDRESS));
        if (found && addresses.size() > 1) {
            throw new ConfigurationException(
                    "holdfast.nodes contains memory: and other addresses",
                    "Set holdfast.nodes to memory: alone, for tests, or to the addresses of one, three or five Redis"
                            + " servers.",
                    null);
        }
        return found;
    }

    /** Logs that no other application context sees the locks. */
    static void warn(Environment environment) {
        boolean isProduction = environment.acceptsProfiles(Profiles.of("prod", "production"));
        LOG.log(
                Level.WARNING,
                isProduction
                        ? "A profile for production is active, but the locks are in the memory of this"
                                + " application context (holdfast.nodes=memory:): two instances of the"
                                + " application hold the same lock at the same time;"
                                + " set holdfast.nodes to the addresses of Redis servers"
                        : "The locks are in the memory of this application context (holdfast.nodes=memory:), and no"
                                + " other context or process sees them; use that for tests and development only");
    }

    @Override
    public boolean supports(String scheme) {
        return scheme.equals(NAME);
    }

    @Override
    public List<LockNode> connect(List<NodeAddress> addresses, NodeSettings settings, Time time) {
        return List.of(new InMemoryNode(NAME, time));
    }
}
