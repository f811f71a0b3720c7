package io.holdfast.lease;

import java.math.BigInteger;
import java.security.SecureRandom;

/**
 * The unguessable token of one attempt: who may extend and release what the attempt took. It is the value of the lock key
 * on every node, so whoever can read the key can release the lock; print {@link #brief} instead.
 *
 * @param token 1 to 200 printable ASCII characters without spaces
 */
public record Owner(String token) {

    private static final int RANDOM_BITS = 160;
    private static final int MAX_LENGTH = 200;
    private static final int MARK_LENGTH = 6;

    public Owner {
        boolean printable = token.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (token.isEmpty() || token.length() > MAX_LENGTH || !printable) {
            throw new IllegalArgumentException("An owner is 1 to " + MAX_LENGTH
                    + " printable ASCII characters without spaces, as printed by `acquire`; this one has "
                    + token.length() + " characters");
        }
    }

    /** A new owner of 160 random bits. */
    public static Owner fresh(SecureRandom random) {
        return new Owner(new BigInteger(RANDOM_BITS, random).toString(Character.MAX_RADIX));
    }

    /** The first characters, by which clients can tell whether several nodes speak of the same holder. */
    public String mark() {
        return token.substring(0, Math.min(MARK_LENGTH, token.length()));
    }

    /** The first characters, enough to tell owners apart in a log and too few to release anything. */
    public String brief() {
        return mark() + "…";
    }

    @Override
    public String toString() {
        return brief();
    }
}
