package io.holdfast.lease;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * The unguessable token of one attempt, with which its lock is extended and released. It is the value of the lock's key
 * on every node, so any client that can read the key can release the lock; print {@link #brief} instead. Immutable.
 *
 * @param token 1 to 200 printable ASCII characters without spaces, not counting a final {@link #RETAINED}
 */
public record Owner(String token) {

    /** The end of the value of a lock's key while the nodes retain the lock after its release. */
    public static final String RETAINED = ":retained";

    /** Begins values that the nodes store at a lock's key themselves. */
    private static final String RESERVED_PREFIX = "holdfast:";

    /** The value of a lock's key while shared holders hold the lock. */
    public static final String SHARED = RESERVED_PREFIX + "shared";

    /** Separates the random part of a token from the id of its client. */
    private static final char CLIENT = '.';

    private static final int RANDOM_BYTES = 20;
    /** Two numbers of 62 bits, and one of 36, in as many digits of base 36 as they need. */
    private static final int[] DIGITS = {12, 12, 7};

    private static final int RANDOM_DIGITS = 31;
    private static final int MAX_LENGTH = 200;
    private static final int MARK_LENGTH = 6;

    /**
     * Creates an owner with this token.
     *
     * @throws IllegalArgumentException if the token has another form; the message does not contain it
     */
    public Owner {
        boolean printable = isPrintable(token);
        int length = token.length() - (token.endsWith(RETAINED) ? RETAINED.length() : 0);
        if (length < 1 || length > MAX_LENGTH || !printable) {
            throw new IllegalArgumentException("An owner is 1 to " + MAX_LENGTH
                    + " printable ASCII characters without spaces, as printed by `acquire`; this one has "
                    + token.length() + " characters");
        }
    }

    /** Returns a new owner of 160 random bits. */
    public static Owner fresh(SecureRandom random) {
        return new Owner(new String(randomDigits(random, RANDOM_DIGITS), StandardCharsets.US_ASCII));
    }

    /**
     * Returns a new owner of 160 random bits and the id of its client, by which others find out who holds the lock. An
     * id of up to 12 characters makes a token of at most 44, for which Redis needs no second block of memory.
     */
    public static Owner fresh(SecureRandom random, String client) {
        int end = RANDOM_DIGITS + 1;
        byte[] token = randomDigits(random, end + client.length());
        token[RANDOM_DIGITS] = CLIENT;
        for (int i = 0; i < client.length(); i++) {
            token[end + i] = (byte) client.charAt(i);
        }
        return new Owner(new String(token, StandardCharsets.US_ASCII));
    }

    /** Begins a token of this length. A {@code BigInteger} would take fifteen times the memory for it. */
    private static byte[] randomDigits(SecureRandom random, int length) {
        byte[] bits = new byte[RANDOM_BYTES];
        random.nextBytes(bits);
        ByteBuffer drawn = ByteBuffer.wrap(bits);
        long first = drawn.getLong();
        long second = drawn.getLong();
        long third = ((first & 3) << 34) | ((second & 3) << 32) | Integer.toUnsignedLong(drawn.getInt());
        byte[] token = new byte[length];
        int end = write(token, 0, DIGITS[0], first >>> 2);
        end = write(token, end, DIGITS[1], second >>> 2);
        write(token, end, DIGITS[2], third);
        return token;
    }

    private static int write(byte[] token, int from, int digits, long number) {
        long rest = number;
        for (int i = from + digits - 1; i >= from; i--) {
            token[i] = (byte) Character.forDigit((int) (rest % Character.MAX_RADIX), Character.MAX_RADIX);
            rest /= Character.MAX_RADIX;
        }
        return from + digits;
    }

    private static boolean isPrintable(String token) {
        for (int i = 0; i < token.length(); i++) {
            if (token.charAt(i) <= ' ' || token.charAt(i) >= 0x7f) {
                return false;
            }
        }
        return true;
    }

    /** Returns the owner that the nodes store while they retain the lock after its release. No claim has it. */
    public Owner retained() {
        return new Owner(token + RETAINED);
    }

    /** Returns {@code true} if the nodes store this owner for a lock that they retain after its release. */
    public boolean isRetained() {
        return token.endsWith(RETAINED);
    }

    /** Returns {@code true} if only the nodes store this owner, so that no claim may have it. */
    public boolean isReserved() {
        return isRetained() || token.startsWith(RESERVED_PREFIX);
    }

    /** Returns the id of the client that made this owner; empty if the token has none. */
    public String client() {
        int end = token.length() - (isRetained() ? RETAINED.length() : 0);
        int separator = token.lastIndexOf(CLIENT, end);
        return separator < 0 ? "" : token.substring(separator + 1, end);
    }

    /** Returns the first six characters, which show whether several nodes report the same holder. */
    public String mark() {
        return token.substring(0, Math.min(MARK_LENGTH, token.length()));
    }

    /** Returns the {@link #mark} of a holder with this value, of Holdfast or another client: its first six bytes. */
    public static String markOf(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return new String(bytes, 0, Math.min(MARK_LENGTH, bytes.length), StandardCharsets.UTF_8);
    }

    /**
     * Returns the first six characters and an ellipsis: enough to distinguish owners in a log, and too few to release a
     * lock.
     */
    public String brief() {
        return mark() + "...";
    }

    /** Returns {@link #brief}. */
    @Override
    public String toString() {
        return brief();
    }
}
