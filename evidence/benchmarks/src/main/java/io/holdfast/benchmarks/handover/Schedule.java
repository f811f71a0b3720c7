package io.holdfast.benchmarks.handover;

import java.time.Duration;

/**
 * The turns of contestants, in ns of the monotonic clock, which all processes share. In each round, each contestant has
 * one turn. Round 0 is the warm-up.
 *
 * @param rounds the number of rounds that count
 * @param warmUp the length of a turn in round 0
 * @param turn the length of every other turn
 */
record Schedule(long firstNanos, int contestants, int rounds, Duration warmUp, Duration turn) {

    long begin(int round, int contestant) {
        long round1 = firstNanos + contestants * (warmUp.toNanos() + pauseNanos());
        return round == 0
                ? firstNanos + contestant * (warmUp.toNanos() + pauseNanos())
                : round1 + ((round - 1L) * contestants + contestant) * (turn.toNanos() + pauseNanos());
    }

    /** Between two turns, waiters of the first one acquire and release what they still wait for. */
    private long pauseNanos() {
        return turn.toNanos() / 4;
    }

    long end(int round, int contestant) {
        return begin(round, contestant) + (round == 0 ? warmUp : turn).toNanos();
    }

    /** Waits until this time. */
    static void sleepUntil(long nanos) throws InterruptedException {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            Thread.sleep(Duration.ofNanos(left).toMillis(), (int) (left % 1_000_000));
        }
    }

    @Override
    public String toString() {
        return String.join(
                " ",
                Long.toString(firstNanos),
                Integer.toString(contestants),
                Integer.toString(rounds),
                Long.toString(warmUp.toNanos()),
                Long.toString(turn.toNanos()));
    }

    /** Reads what {@link #toString} has written. */
    static Schedule parse(String text) {
        String[] words = text.split(" ", -1);
        return new Schedule(
                Long.parseLong(words[0]),
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Duration.ofNanos(Long.parseLong(words[3])),
                Duration.ofNanos(Long.parseLong(words[4])));
    }
}
