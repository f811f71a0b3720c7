package io.holdfast.stress.witness;

import java.util.function.LongSupplier;

/** One holder inside. */
public final class Stay {

    private final Place place;
    private final String resource;
    private final long token;
    private final LongSupplier validUntil;
    private final String thread = Thread.currentThread().getName();
    private volatile boolean shared;

    Stay(Place place, String resource, long token, boolean shared, LongSupplier validUntil) {
        this.place = place;
        this.resource = resource;
        this.token = token;
        this.shared = shared;
        this.validUntil = validUntil;
    }

    /** The holder lets readers in from now on. To be called before it tells the nodes. */
    public void share() {
        shared = true;
    }

    /** The holder leaves alone; others with its token stay inside. */
    public void stepOut() {
        place.left(this, false);
    }

    /** The holder is about to release: all who have its token leave. */
    public void leave() {
        place.left(this, true);
    }

    /** The nodes have confirmed the release: the token cannot be resumed from now on. */
    public void released() {
        place.released(token);
    }

    /** Whether the holder may rely on its grant at this moment. */
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
