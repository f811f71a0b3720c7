package io.holdfast.spring.leader;

import io.holdfast.lease.Loss;
import org.jspecify.annotations.Nullable;

/**
 * Published when this process ceases to lead. After a resignation no other process leads before the listeners have
 * returned, as long as the lease can be renewed; after a loss, the work of the leader must end at once.
 *
 * @param role the name of the role
 * @param loss the reason of a loss; null after a resignation, such as the end of the application
 */
public record LeadershipRevokedEvent(String role, @Nullable Loss loss) {}
