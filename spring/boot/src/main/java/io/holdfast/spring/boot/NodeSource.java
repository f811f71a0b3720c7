package io.holdfast.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * The nodes that a client connects to, and the security of these connections.
 *
 * @param addresses of all nodes
 * @param previous addresses of the nodes that voted before, during a change of the nodes
 * @param username the user of nodes whose address names none; may be null
 * @param password the password of that user, or of the default user; null: no credentials
 * @param sentinel the user and the password of the Sentinels
 * @param bundle the certificates; null: those of the JVM
 * @param isNew whether all servers were started for this application
 */
record NodeSource(
        List<String> addresses,
        List<String> previous,
        @Nullable String username,
        @Nullable String password,
        HoldfastProperties.Sentinel sentinel,
        @Nullable SslBundle bundle,
        boolean isNew) {

    /** Returns {@code true} if the locks are in the memory of this process. */
    boolean isInMemory() {
        return equals(NodesInMemory.SOURCE);
    }

    /** Returns nothing of the secret. */
    @Override
    public String toString() {
        return "NodeSource[" + addresses.size() + " nodes]";
    }
}
