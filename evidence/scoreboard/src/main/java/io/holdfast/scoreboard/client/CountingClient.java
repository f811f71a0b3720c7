package io.holdfast.scoreboard.client;

import io.holdfast.scoreboard.contestant.Contestant;
import io.holdfast.scoreboard.contestant.Contestant.Hold;
import io.holdfast.scoreboard.witness.Event;
import io.holdfast.testkit.LineLink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client that counts under the lock: it acquires the lock, reads the counter, works, and writes the next value unless
 * its library has reported a loss. One thread runs it, and another may stop it.
 */
public final class CountingClient implements AutoCloseable {

    /** The lock. */
    private static final String RESOURCE = "counter";

    private static final long PAUSE_MILLIS = 10;
    private static final long RETRY_MILLIS = 50;

    private final int number;
    private final LineLink witness;
    private final LineLink losses;
    private volatile boolean stopped;
    private int holds;

    /** Connects to the witness. */
    public CountingClient(int number, int witnessPort) throws IOException {
        this.number = number;
        this.witness = LineLink.to(witnessPort);
        this.losses = LineLink.to(witnessPort);
    }

    /** Counts until {@link #stop} is called. */
    public void run(Contestant contestant) throws IOException, InterruptedException {
        witness.send("client " + number);
        while (!stopped) {
            witness.send("ask");
            AtomicBoolean lost = new AtomicBoolean();
            Hold hold = acquire(contestant, lost);
            count(lost);
            release(hold);
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Lets the client end after its next hold. May be called by another thread. */
    public void stop() {
        stopped = true;
    }

    private Hold acquire(Contestant contestant, AtomicBoolean lost) throws IOException, InterruptedException {
        int next = holds + 1;
        while (true) {
            try {
                Hold hold = contestant.acquire(RESOURCE, () -> report(next, lost));
                holds = next;
                witness.send("got " + hold.token().orElse(Event.NONE));
                return hold;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception refused) {
                witness.send("failed");
                Thread.sleep(RETRY_MILLIS);
            }
        }
    }

    private void report(int hold, AtomicBoolean lost) {
        lost.set(true);
        try {
            losses.send("lost " + number + " " + hold);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void count(AtomicBoolean lost) throws IOException {
        long value = Long.parseLong(witness.send("read"));
        witness.send("work");
        if (!lost.get()) {
            witness.send("write " + (value + 1));
        }
        witness.send("release");
    }

    private static void release(Hold hold) {
        try {
            hold.release().run();
        } catch (Exception lost) {
            // Some libraries say only now that the lock was lost.
            System.getLogger(CountingClient.class.getName()).log(System.Logger.Level.DEBUG, "Not released", lost);
        }
    }

    @Override
    public void close() throws IOException {
        witness.close();
        losses.close();
    }
}
