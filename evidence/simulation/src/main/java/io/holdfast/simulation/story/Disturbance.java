package io.holdfast.simulation.story;

/** An action of the visitor at a moment of a run. */
enum Disturbance {
    NONE('g'),
    KILL('k'),
    WIPE('w'),
    PAUSE('p'),
    CUT('c');

    private final char letter;

    Disturbance(char letter) {
        this.letter = letter;
    }

    /** Returns the letter that stands for it in the path of a scene. */
    char letter() {
        return letter;
    }
}
