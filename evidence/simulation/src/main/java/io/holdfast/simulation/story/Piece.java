package io.holdfast.simulation.story;

import io.holdfast.simulation.load.FencedResource;

/** The last piece of a stock, which two clients want to sell, and the resource that keeps it. */
final class Piece {

    private final FencedResource fence;
    private final String lock;
    private final boolean checksTokens;
    private int sold;
    private int rejected;

    Piece(FencedResource fence, String lock, boolean checksTokens) {
        this.fence = fence;
        this.lock = lock;
        this.checksTokens = checksTokens;
    }

    int sold() {
        return sold;
    }

    int rejected() {
        return rejected;
    }

    /** Reads whether the piece is left. The reader presents its token, so an older writer is rejected from now on. */
    boolean isLeft(Actor reader) {
        if (checksTokens) {
            fence.write(lock, reader.token());
        }
        return sold == 0;
    }

    /** Writes that the piece is sold, for a client that has read that it was left; returns whether that is accepted. */
    boolean sell(Actor writer) {
        boolean accepted = !checksTokens || writer.write(fence);
        sold += accepted ? 1 : 0;
        rejected += accepted ? 0 : 1;
        return accepted;
    }
}
