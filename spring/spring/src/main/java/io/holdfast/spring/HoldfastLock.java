package io.holdfast.spring;

import io.holdfast.spring.attribute.FallbackHints;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs a method of a Spring bean under a distributed lock: acquires the lock before the method, and releases it
 * afterwards.
 *
 * <p><b>Transactions.</b> The lock encloses a {@code @Transactional} of the same method, so it is released after the
 * commit. If the caller already has a transaction, the lock is released when that transaction has completed, which is
 * logged once for each method; the transaction is rolled back if the lease was lost before the commit.
 *
 * <p><b>Re-entrance.</b> A thread that already holds the lock through this annotation, and calls a method with the same
 * lock, runs it under the first lease. Threads of one process exclude each other like those of two processes.
 *
 * <p><b>Several locks.</b> If an expression in the name yields a collection or an array of objects, each of its values
 * is the name of a lock of its own: <code>account:#&#123;&#123;#from, #to}}</code> locks both accounts, and
 * <code>order:#&#123;#ids}</code> all orders. They are acquired in the order of their names, as by {@link
 * io.holdfast.locks.MultiLock MultiLock}, so two calls with overlapping sets do not wait for each other in a circle.
 * The wait limit covers all of them. Each lock has a lease of its own, which {@link CurrentLease#of} returns; a
 * repeatable annotation would have neither a common wait limit nor an order.
 *
 * <p><b>Futures.</b> A method that returns a {@link java.util.concurrent.CompletionStage CompletionStage} or a {@link
 * java.util.concurrent.CompletableFuture CompletableFuture} keeps the lock until that completes. The wait for the lock
 * blocks the caller. A refusal is a failed future. If a re-entrant call returns a future that completes later than its
 * caller ends, the lock stays held until then, and the caller gets its own result without a wait for that. The future
 * fails if the lease is lost before.
 *
 * <p><b>Publishers.</b> A method that returns a {@code Mono}, a {@code Flux} or a {@code Publisher} needs {@code
 * holdfast-reactor}. Each subscription acquires the lock without blocking, runs the method, and holds the lock until
 * the publisher completes, fails or is cancelled. If the lease is lost, the publisher is cancelled and fails with
 * {@code LeaseLostException}. A publisher shares its lease with those of other methods with the same lock that it
 * contains, and ends after them; its cancellation releases the lock at once. Operators that the caller appends to it do
 * not share the lease. The transaction of a subscriber fails the publisher, because it would be committed after the
 * release.
 *
 * <p>A method on which this cannot work is rejected when its bean is created, with the name of the method: a private,
 * final or static method, a reactive type of another library, a primitive result with {@link RefusalPolicy#SKIP}, or a
 * method that Spring calls on the object itself, such as an init method. A call within one bean does not pass the proxy
 * and is not locked, as with all annotations of this kind.
 *
 * <p>Durations are written {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h30m} or {@code PT30S}, and may be
 * properties such as {@code ${nightly.limit:1h}}. An empty one takes the option of the lock from {@link LockFactory}.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(FallbackHints.class)
public @interface HoldfastLock {

    /**
     * The name of the lock, or of several: a text with expressions in <code>#&#123;…}</code>, which may refer to
     * parameters ({@code #id}), to beans ({@code @clock}) and to the bean itself ({@code #root}), and with properties
     * in <code>$&#123;…}</code>. An expression that yields nothing is an error.
     */
    String value();

    /**
     * An expression, such as {@code #pieces > 10}, which may refer to what {@link #value} may refer to. If it is {@code
     * false} for a call, that runs without a lock. An empty one is {@code true}.
     */
    String condition() default "";

    /**
     * The longest wait, for another holder as well as for nodes; {@code forever} sets no limit. If it is empty, it is
     * {@code forever} with {@link #oncePer}, else zero if {@link #onHeld} is {@code SKIP}, else that of the lock. With
     * zero, the call does not wait for a holder, but for nodes: 2 s
     * if they do not answer, and until the end of their quarantine.
     */
    String waitLimit() default "";

    /** The time for which the nodes keep the lock without a renewal. */
    String lease() default "";

    /** The longest time that the lock is held, renewals included; at least the lease, or {@code forever}. */
    String holdLimit() default "";

    /**
     * The shortest time that the lock stays held, from the grant, also if the process ends: a scheduled task does not
     * run again on a machine whose clock is behind. At most {@code HoldfastOptions.maxLease}, by default 1 min, and at
     * most the hold limit without the loss margin.
     */
    String holdAtLeast() default "";

    /**
     * The period in which the method succeeds once, in all processes together. It is {@code @hourly}, {@code @daily},
     * {@code @weekly} or {@code @monthly}, a duration such as {@code 55m}, or a cron expression of Spring, at whose
     * moments the periods begin. A call waits until that of another process has ended, and is skipped if a call of the
     * period has succeeded. If the method throws, its process ends, or its lock is lost, the next call runs it. Each
     * run is recorded beside the lock. Days are those of the zone of {@code @Scheduled} on the method,
     * or else of the process.
     *
     * <p>Without {@link #waitLimit}, the wait has no limit. The lock belongs to the method alone: a re-entrant call
     * fails, and so does one within a transaction of its caller, whose commit would follow the record of the success.
     */
    String oncePer() default "";

    /** Acquires the lock in shared (read) mode if {@code true}. */
    boolean shared() default false;

    /**
     * Serves waiters strictly in order if {@code true}. All users of the lock must agree. {@code false} takes the
     * option of the lock.
     */
    boolean fair() default false;

    /** The consequence if another client holds the lock until the wait limit is over. */
    RefusalPolicy onHeld() default RefusalPolicy.THROW;

    /** The consequence if too few nodes answer. {@code SKIP} logs one line. */
    RefusalPolicy onUnreachable() default RefusalPolicy.THROW;

    /**
     * The name of a method of the same bean, which runs instead of the refusal that a policy of {@code THROW} would
     * throw, without any lock. It has the parameters and the result of the annotated method, and may take the refusal
     * as one more parameter at the end: a {@code LockTimeoutException} or a {@code QuorumUnreachableException}, if it
     * is for that only, or a {@code HoldfastException} for both. It runs neither after a failure of the method, nor if
     * the lock is held because of {@link #holdAtLeast} after such a failure. It has no {@code @HoldfastLock}, which
     * would not apply.
     */
    String fallback() default "";

    /** The consequence if the lease is lost while the method runs. */
    LossPolicy onLost() default LossPolicy.THROW;
}
