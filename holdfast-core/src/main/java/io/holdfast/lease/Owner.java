package io.holdfast.lease;

import java.math.BigInteger;
import java.security.SecureRandom;

/**
 * The unguessable token of one attempt, with which its lock is extended and released. It is the value of the lock's key on every node, so
 * any client that can read the key can release the lock; print {@link #brief} instead. Immutable.
 *
 * @param token 1 to 200 printable ASCII characters without spaces
 */
public record Owner(String token) {

    private static final int RANDOM_BITS = 160;
    private static final int MAX_LENGTH = 200;
    private static final int MARK_LENGTH = 6;

    /**
     * Creates an owner with this token.
     *
     * @throws IllegalArgumentException if the token has another form; the message does not contain it
     */
    public Owner {
        boolean printable = token.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (token.isEmpty() || token.length() > MAX_LENGTH || !printable) {
            throw new IllegalArgumentException("An owner is 1 to " + MAX_LENGTH
                    + " printable ASCII characters without spaces, as printed by `acquire`; this one has "
                    + token.length() + " characters");
        }
    }

    /** Returns a new owner of 160 random bits. */
    public static Owner fresh(SecureRandom random) {
        return new Owner(new BigInteger(RANDOM_BITS, random).toString(Character.MAX_RADIX));
    }

    /** Returns the first six characters, which show whether several nodes report the same holder. */
    public String mark() {
        return token.substring(0, Math.min(MARK_LENGTH, token.length()));
    }

    /** Returns the first six characters and an ellipsis: enough to distinguish owners in a log, and too few to release a lock. */
    public String brief() {
        return mark() + "…";
    }

    /** Returns {@link #brief}. */
    @Override
    public String toString() {
        return brief();
    }
}
