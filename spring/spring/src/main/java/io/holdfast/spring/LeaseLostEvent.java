package io.holdfast.spring;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Loss;
import java.time.Duration;

/**
 * Published to the listeners of an application if any lease of its client is lost: one of an annotated method, of a
 * leader, or of code that has acquired it. Published on a thread of the client, after the callbacks of the lease have
 * begun. Immutable.
 *
 * @param resource the name of the lock
 * @param fencingToken the fencing token of the lease
 * @param loss the reason, and whether it was noticed late
 * @param heldFor the time since the grant
 */
public record LeaseLostEvent(String resource, FencingToken fencingToken, Loss loss, Duration heldFor) {}
