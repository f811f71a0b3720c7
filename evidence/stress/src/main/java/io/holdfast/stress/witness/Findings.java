package io.holdfast.stress.witness;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The violations so far: the number and the first one of each kind. */
public final class Findings {

    private final long start = System.nanoTime();
    private final Map<Kind, Finding> byKind = new EnumMap<>(Kind.class);
    private final Consumer<String> log;

    /**
     * The violations of one kind.
     *
     * @param count their number
     * @param firstMillis the time of the first one, since the start
     * @param first the description of the first one
     */
    public record Finding(Kind kind, long count, long firstMillis, String first) {

        private Finding repeated() {
            return new Finding(kind, count + 1, firstMillis, first);
        }

        @Override
        public String toString() {
            return kind + " (" + kind.description() + "): " + count + ", the first after " + firstMillis + " ms: "
                    + first;
        }
    }

    /** Starts the clock. The first violation of each kind is also written to the log. */
    public Findings(Consumer<String> log) {
        this.log = log;
    }

    /** Records a violation. */
    public synchronized void add(Kind kind, String what) {
        Finding before = byKind.get(kind);
        if (before == null) {
            Finding first = new Finding(kind, 1, (System.nanoTime() - start) / 1_000_000, what);
            byKind.put(kind, first);
            log.accept(first.toString());
        } else {
            byKind.put(kind, before.repeated());
        }
        notifyAll();
    }

    /** Returns the number of violations of these kinds. */
    public synchronized long count(Kind... kinds) {
        long sum = 0;
        for (Kind kind : kinds) {
            Finding finding = byKind.get(kind);
            sum += finding == null ? 0 : finding.count();
        }
        return sum;
    }

    public synchronized boolean isEmpty() {
        return byKind.isEmpty();
    }

    /** Waits for the first violation, at most for the limit; returns true if there is one. */
    public synchronized boolean await(long limitMillis) throws InterruptedException {
        long end = System.nanoTime() + limitMillis * 1_000_000;
        for (long left = limitMillis; byKind.isEmpty() && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return !byKind.isEmpty();
    }

    public synchronized List<Finding> all() {
        return List.copyOf(byKind.values());
    }
}
