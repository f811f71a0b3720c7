package io.holdfast.stress.witness;

import java.util.function.LongSupplier;

/** A hold of one holder, from its entry until it leaves or its validity ends. */
public final class ObservedHold {

    private final ObservedLock lock;
    private final String resource;
    private final long token;
    private final LongSupplier validUntil;
    private final String thread = Thread.currentThread().getName();
    private volatile boolean shared;

    ObservedHold(ObservedLock lock, String resource, long token, boolean shared, LongSupplier validUntil) {
        this.lock = lock;
        this.resource = resource;
        this.token = token;
        this.shared = shared;
        this.validUntil = validUntil;
    }

    /** Marks the hold as shared. Must be called before the nodes receive the downgrade. */
    public void downgrade() {
        shared = true;
    }

    /** Ends this hold; other holders with its token stay inside. */
    public void leaveSingle() {
        lock.leave(this, false);
    }

    /** Ends all holds with this token, before the release. */
    public void leave() {
        lock.leave(this, true);
    }

    /** Records that the nodes have confirmed the release: no later attach with this token may succeed. */
    public void released() {
        lock.released(token);
    }

    /** Returns true if the holder may rely on its grant now. */
    boolean isValid() {
        return validUntil.getAsLong() - System.nanoTime() > 0;
    }

    boolean isShared() {
        return shared;
    }

    long token() {
        return token;
    }

    @Override
    public String toString() {
        return resource + " token " + token + (shared ? " shared" : "") + " of " + thread;
    }
}
