package io.holdfast.simulation.story;

/** A client that wants the lock, reads whether a piece is left, and sells it. */
final class Seller {

    private final String letter;
    private final Actor actor;
    private final Piece piece;
    private boolean paused;
    private boolean hasRead;
    private boolean saw;
    private boolean hasWritten;

    Seller(String letter, Actor actor, Piece piece) {
        this.letter = letter;
        this.actor = actor;
        this.piece = piece;
    }

    String letter() {
        return letter;
    }

    Actor actor() {
        return actor;
    }

    boolean isPaused() {
        return paused;
    }

    boolean holds() {
        return !paused && actor.holds();
    }

    /** Reads the stock once it holds the lock; returns whether it has read just now. */
    boolean reads() {
        if (hasRead || !holds()) {
            return false;
        }
        hasRead = true;
        saw = piece.isLeft(actor);
        return true;
    }

    boolean sawThePiece() {
        return saw;
    }

    /** Returns whether it would write now: it has seen the piece, and its lease is valid as far as it knows. */
    boolean wantsToWrite() {
        return saw && !hasWritten && (paused || actor.holds());
    }

    /** Writes; returns whether the resource accepts that. */
    boolean writes() {
        hasWritten = true;
        return piece.sell(actor);
    }

    void releases() {
        if (actor.holds()) {
            actor.release();
        }
    }

    void pauses() {
        paused = true;
        actor.stop();
    }

    void goesOn() {
        paused = false;
        actor.goOn();
    }

    String state() {
        if (paused) {
            return "paused";
        }
        return actor.picture().state();
    }
}
