/**
 * Locks of well-known kinds, each composed on the lease of one {@link io.holdfast.DistributedLock} or of several. Each
 * class creates its own locks, by {@code of}; an election is started.
 *
 * <table>
 * <caption>Which lock for which task</caption>
 * <tr><th>Task</th><th>Class</th><th>Fencing token</th></tr>
 * <tr><td>one holder, with a lease to pass on and to close</td><td>{@link io.holdfast.DistributedLock}</td><td>of the
 * lease</td></tr>
 * <tr><td>the interface {@link java.util.concurrent.locks.Lock}: re-entrant, owned by a thread</td>
 *     <td>{@link io.holdfast.locks.ReentrantDistributedLock}</td><td>{@code lease()}</td></tr>
 * <tr><td>a re-entrant lock of a request or task that changes threads</td>
 *     <td>{@link io.holdfast.locks.OwnedLock}</td><td>of the owner's lease</td></tr>
 * <tr><td>many readers or one writer</td>
 *     <td>{@link io.holdfast.locks.ReentrantDistributedReadWriteLock}, or {@link io.holdfast.DistributedLock#shared()}
 *     without threads</td><td>one for each holder</td></tr>
 * <tr><td>at most n holders at a time</td>
 *     <td>{@link io.holdfast.locks.DistributedSemaphore}</td><td>one for each slot</td></tr>
 * <tr><td>several resources at once, all or none, without deadlock</td>
 *     <td>{@link io.holdfast.locks.MultiLock}</td><td>one for each lock</td></tr>
 * <tr><td>one process that works until it stops or fails</td>
 *     <td>{@link io.holdfast.locks.LeaderElection}</td><td>of the leader's lease</td></tr>
 * </table>
 *
 * <p>One rule says how long they wait. Methods named {@code acquire} wait for {@link
 * io.holdfast.LockOptions#waitLimit}, or for the duration or the options that they are given. Methods named {@code
 * tryAcquire} without a duration do not wait for a holder. The interfaces of {@code java.util.concurrent} and
 * elections have limits of their own, so {@code waitLimit} has no effect on them: {@code lock()} and an election wait
 * without limit, {@code tryLock()} does not wait, and {@code tryLock(time, unit)} waits for that time.
 */
@NullMarked
package io.holdfast.locks;

import org.jspecify.annotations.NullMarked;
