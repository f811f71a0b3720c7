package io.holdfast.client;

/**
 * A check that the calling thread has room on its stack for one call of the library: 14 to 40 KB, depending on how Java
 * has compiled the check. A request without room fails before it has begun. Otherwise it could fail between two steps
 * that belong together, such as a waiter that is removed and the notification of the next one.
 */
public final class StackRoom {

    /** A frame has 90 bytes if it is compiled well, and 250 in the interpreter. */
    private static final int FRAMES = 160;

    private StackRoom() {}

    /**
     * Returns if there is room. Takes a microsecond.
     *
     * @throws StackOverflowError if there is none
     */
    public static void require() {
        if (fill(FRAMES, 1, 2, 3, 4, 5, 6, 7, 8) == 0) {
            throw new AssertionError("The check was not carried out");
        }
    }

    /** Uses all arguments after the inner call, so that they stay in the frame; never returns zero. */
    private static long fill(int frames, long a, long b, long c, long d, long e, long f, long g, long h) {
        if (frames == 0) {
            return 1;
        }
        long inner = fill(frames - 1, b, c, d, e, f, g, h, a + frames);
        return ((((inner ^ a) + b ^ c) + d ^ e) + f ^ g) + h | 1;
    }
}
