/**
 * Distributed locks on independent Redis servers.
 *
 * <pre>{@code
 * try (Holdfast holdfast = Holdfast.connect("redis://a:6379", "redis://b:6379", "redis://c:6379")) {
 *     DistributedLock lock = holdfast.lock("order:42");
 *     try (Lease lease = lock.acquire()) {
 *         lease.onLost(loss -> orders.stop(42));
 *         orders.ship(42, lease.fencingToken());
 *     }
 * }
 * }</pre>
 *
 * <p>{@link io.holdfast.Holdfast} is the client, one for each process. It returns {@link io.holdfast.DistributedLock}s,
 * whose acquisitions return {@link io.holdfast.Lease}s. A lease is held until it is closed or lost, and renewed
 * meanwhile. {@link io.holdfast.Acquirable} is the common interface of locks, semaphores, sets of locks and owners.
 * {@link io.holdfast.LockOptions} say how to wait and how to hold; {@link io.holdfast.HoldfastOptions} say how to
 * connect. Contention, missing nodes and a lost lease are {@link io.holdfast.HoldfastException}s. A wrong argument is
 * an {@link IllegalArgumentException}, the use of a closed client an {@link IllegalStateException}.
 *
 * <p>Where to go next:
 *
 * <ul>
 *   <li>{@link io.holdfast.locks}: re-entrant and read-write locks, semaphores, several locks at once, leader election
 *   <li>{@link io.holdfast.lease}: the values of a lease, such as its state and its fencing token
 *   <li>{@link io.holdfast.event}: events of locks, for metrics
 *   <li>{@link io.holdfast.admin}: which locks are held, and whether the nodes are fit to vote
 *   <li>{@link io.holdfast.node.memory} and {@link io.holdfast.time}: nodes in memory and virtual time, for tests
 *   <li>{@link io.holdfast.node}: the interface that a kind of node implements; an adapter to another Redis client
 *       implements {@code io.holdfast.redis.client}
 *   <li>{@link io.holdfast.spi}: parts of a lock, for adapters and for locks that are built of locks
 * </ul>
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
