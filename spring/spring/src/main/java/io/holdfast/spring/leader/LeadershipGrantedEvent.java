package io.holdfast.spring.leader;

import io.holdfast.Lease;

/**
 * Published when this process begins to lead, on a thread of its own. An exception of a listener is a resignation.
 *
 * @param role the name of the role
 * @param lease the lease of the term, with its fencing token
 */
public record LeadershipGrantedEvent(String role, Lease lease) {}
