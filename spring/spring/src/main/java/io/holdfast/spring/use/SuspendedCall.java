package io.holdfast.spring.use;

import java.util.Arrays;
import java.util.concurrent.CancellationException;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;
import org.jspecify.annotations.Nullable;

/**
 * One call of a suspending function of Kotlin under its locks: shows the leases to the threads of its coroutine, and
 * cancels the coroutine without leaving it, so that the locks are held until it has ended. Loaded only where
 * kotlinx-coroutines is on the class path. Thread-safe.
 */
public final class SuspendedCall extends AbstractCoroutineContextElement
        implements ThreadContextElement<@Nullable Object> {

    private final Scope scope;
    private boolean begun;
    private boolean cancelled;
    private @Nullable Job job;

    /** The view of a thread that runs the coroutine. */
    public interface Scope {

        /** Shows the leases to this thread, and returns what it has seen before. */
        @Nullable
        Object enter();

        /** Shows to this thread what it has seen before. */
        void leave(@Nullable Object before);
    }

    /** Each call has a key of its own, so that the leases of one inside of another add up. */
    private static final class Key implements CoroutineContext.Key<SuspendedCall> {}

    /** Creates a call whose function has not begun. */
    public SuspendedCall(Scope scope) {
        super(new Key());
        this.scope = scope;
    }

    /** Returns the arguments of the function, whose coroutine then belongs to this call. */
    public @Nullable Object[] arguments(@Nullable Object[] arguments) {
        @Nullable Object[] own = Arrays.copyOf(arguments, arguments.length);
        Continuation<?> caller = (Continuation<?>) arguments[arguments.length - 1];
        own[own.length - 1] =
                caller == null ? null : new Inner(caller.getContext().plus(this));
        return own;
    }

    /** Spring takes the context from it, and resumes the caller itself. */
    private record Inner(CoroutineContext context) implements Continuation<Object> {

        @Override
        public CoroutineContext getContext() {
            return context;
        }

        @Override
        public void resumeWith(Object result) {
            throw new IllegalStateException("The coroutine of a locked function was resumed without it");
        }
    }

    /** Begins the function; {@code false} if the call was cancelled, so that the function must not begin. */
    public synchronized boolean begin() {
        begun = !cancelled;
        return begun;
    }

    /**
     * Cancels the call. Returns {@code true} if the function has begun: its coroutine then ends by itself, and the
     * locks are released after it.
     */
    public synchronized boolean cancel() {
        cancelled = true;
        if (job != null) {
            job.cancel(new CancellationException("The caller was cancelled"));
        }
        return begun;
    }

    /** Returns {@code true} if the caller does not wait for the result any more. */
    public synchronized boolean isCancelled() {
        return cancelled;
    }

    @Override
    public @Nullable Object updateThreadContext(CoroutineContext context) {
        begin(context.get(Job.Key));
        return scope.enter();
    }

    /** The first coroutine is that of the function; others are its children. */
    private synchronized void begin(@Nullable Job first) {
        if (job == null && first != null) {
            job = first;
            if (cancelled) {
                first.cancel(new CancellationException("The caller was cancelled"));
            }
        }
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, @Nullable Object before) {
        scope.leave(before);
    }
}
