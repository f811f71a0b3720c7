package io.holdfast.spring.leader;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method only while this process leads; other calls are skipped and return {@code null}, an empty {@link
 * java.util.Optional Optional}, or a {@code CompletableFuture} that has completed with {@code null}. For scheduled
 * methods. {@code CurrentLease.get()} returns the lease of the leader.
 *
 * <p>The method is not stopped if the leadership ends while it runs. One that runs for long checks {@code
 * CurrentLease.get().isValid()}, or gives the fencing token to the resource.
 *
 * <p>Methods that return a publisher or another future, and suspending functions of Kotlin, are rejected: their work
 * begins after the call, and a call that is skipped has no result to return.
 *
 * <p>A method on which this cannot work, or whose role has no {@link LeaderLifecycle}, is rejected when the application
 * starts, or when its bean is created later.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface OnlyLeader {

    /** The role of a {@link LeaderLifecycle} of this application. */
    String value();
}
