package io.holdfast.spring.boot;

import java.util.List;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The addresses of nodes from another source than the properties, such as a container of a test. The nodes of all beans
 * of this type make one quorum, and {@code holdfast.nodes}, {@code holdfast.username}, {@code holdfast.password} and
 * {@code holdfast.ssl.bundle} are then ignored: credentials are a part of the address.
 */
public interface HoldfastConnectionDetails extends ConnectionDetails {

    /** Returns the addresses, such as {@code redis://host:6379}. */
    List<String> nodes();

    /**
     * Returns {@code true} if the servers were started for this application and have never held a lock. If this is so
     * for all nodes, they vote at once.
     */
    default boolean isNew() {
        return false;
    }
}
