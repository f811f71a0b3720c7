package io.holdfast;

import org.jspecify.annotations.Nullable;

/** Runs calls deep in a stack. */
public final class InStack {

    private static final long SMALL = 512 * 1024;

    private InStack() {}

    /**
     * Makes the call in a stack that is full but for this number of small frames.
     *
     * @return what the call throws, or null
     */
    public static @Nullable Throwable withRoom(int frames, Runnable call) {
        Descent descent = new Descent(frames, call);
        Thread thread = new Thread(null, descent::fill, "full stack", SMALL);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return descent.failure;
    }

    private static final class Descent {

        private final Runnable call;
        private int frames;
        private @Nullable Throwable failure;

        Descent(int frames, Runnable call) {
            this.frames = frames;
            this.call = call;
        }

        /**
         * Calls itself until the stack is full, and makes the call some frames above. Returns {@code true} before that.
         */
        @SuppressWarnings("InfiniteRecursion")
        private boolean fill() {
            boolean ascends;
            try {
                ascends = fill();
            } catch (StackOverflowError full) {
                ascends = true;
            }
            if (!ascends || --frames > 0) {
                return ascends;
            }
            try {
                call.run();
            } catch (Throwable thrown) {
                failure = thrown;
            }
            return false;
        }
    }
}
