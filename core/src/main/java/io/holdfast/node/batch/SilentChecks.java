package io.holdfast.node.batch;

/**
 * Counts the checks at which a server has been silent. A count of checks, instead of a comparison of clocks, does not
 * take a pause of this process for a silent server. Thread-safe.
 */
public final class SilentChecks {

    private long repliesBefore;
    private int inARow;

    /** Creates a count of zero. */
    public SilentChecks() {}

    /**
     * Returns the number of checks in a row, with this one, at which replies were missing and none had come since the
     * check before.
     *
     * @param replies the number of replies until now
     * @param areMissing whether a reply is missing now
     */
    public synchronized int check(long replies, boolean areMissing) {
        inARow = areMissing && replies == repliesBefore ? inARow + 1 : 0;
        repliesBefore = replies;
        return inARow;
    }
}
