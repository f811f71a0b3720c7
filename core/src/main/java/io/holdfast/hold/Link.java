package io.holdfast.hold;

/**
 * An element of a ring, which is a list that needs no other object for each element. An element that is in no ring is
 * linked to itself. Not thread-safe: the owner of a ring guards its links.
 */
abstract class Link {

    private Link before = this;
    private Link after = this;

    /** Inserts this element, which is in no ring, after another one. */
    final void insertAfter(Link other) {
        before = other;
        after = other.after;
        after.before = this;
        other.after = this;
    }

    /** Removes this element from its ring, if it is in one. */
    final void remove() {
        before.after = after;
        after.before = before;
        before = this;
        after = this;
    }

    /** Returns the element after this one; this one if it is alone. */
    final Link next() {
        return after;
    }
}
