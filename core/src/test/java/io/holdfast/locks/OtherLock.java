package io.holdfast.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A re-entrant lock of another library, which a test controls. */
final class OtherLock implements Lock {

    /** The calls of this lock, such as {@code tryLock}. */
    final List<String> calls = new ArrayList<>();

    int depth;
    boolean isFree = true;
    Runnable afterLocking = () -> {};
    Runnable beforeUnlocking = () -> {};

    @Nullable
    RuntimeException unlockFailure;

    private boolean enter(String call) {
        calls.add(call);
        if (isFree) {
            depth++;
            afterLocking.run();
        }
        return isFree;
    }

    @Override
    public void lock() {
        throw new AssertionError("A wait that nothing can end");
    }

    @Override
    public void lockInterruptibly() {
        enter("lockInterruptibly");
    }

    @Override
    public boolean tryLock() {
        return enter("tryLock");
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        return enter("tryLock " + unit.toMillis(time));
    }

    @Override
    public void unlock() {
        calls.add("unlock");
        beforeUnlocking.run();
        depth--;
        if (unlockFailure != null) {
            throw unlockFailure;
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String toString() {
        return "other";
    }
}
