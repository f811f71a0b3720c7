package io.holdfast.scoreboard.witness;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** The hold that a fault strikes: its client has read the counter, and works until the strike is finished. */
public final class Strike {

    private final int client;
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CountDownLatch finished = new CountDownLatch(1);

    Strike(int client) {
        this.client = client;
    }

    public int client() {
        return client;
    }

    /** Completes when the client works. */
    public CompletableFuture<Void> begun() {
        return begun;
    }

    /** Lets the client write what it has computed, and release the lock. */
    public void finish() {
        finished.countDown();
    }

    void await() throws InterruptedException {
        begun.complete(null);
        finished.await();
    }
}
