package io.holdfast.scoreboard.witness;

/** The time at which a struck holder was notified of its loss, compared with the begin of the next one. */
public enum Notified {
    /** The lock was not lost: no other client acquired it while the holder worked. */
    KEPT("–"),
    /** The holder was notified before another client acquired the lock. */
    BEFORE("yes"),
    /** The holder was notified when another client had acquired the lock already. */
    AFTER("late"),
    /** The holder worked to the end beside another client, and was not notified. */
    NEVER("no");

    private final String word;

    Notified(String word) {
        this.word = word;
    }

    /** Returns the word for tables. */
    public String word() {
        return word;
    }
}
