package io.holdfast.inventory.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A sale of the last piece whose process is stopped between its read and its write, for longer than a lease lasts.
 * Meanwhile another shop sells the piece.
 *
 * @param read the time of the first shop's read
 * @param stopped the time when its process was stopped
 * @param otherSold the time when the other shop had sold the piece
 * @param resumed the time when the first process was resumed
 * @param ended the time when its sale ended
 * @param answer the answer of the first shop
 * @param sold how many times the last piece was sold
 */
public record LastPiece(
        Instant read, Instant stopped, Instant otherSold, Instant resumed, Instant ended, String answer, int sold) {

    private static final String SKU = "last-piece";
    /** Longer than a sale at another shop takes, which waits for the lock. */
    private static final long SLOW_MILLIS = 90_000;

    /** Sells the last piece in one way, at two shops. */
    public static LastPiece sell(String way, ShopProcess first, ShopProcess other, Database database) throws Exception {
        database.restock(SKU, 1);
        CompletableFuture<String> slow = first.sell(way, SKU, SLOW_MILLIS);
        first.awaitSlowCustomer();
        Instant read = Instant.now();
        first.signal("STOP");
        Instant stopped = Instant.now();
        // Under a lock, the other shop has to wait until the lease of the first one has expired.
        other.sell(way, SKU, 1).get(2, TimeUnit.MINUTES);
        Instant otherSold = Instant.now();
        first.signal("CONT");
        Instant resumed = Instant.now();
        first.endPayments();
        String answer = slow.get(2, TimeUnit.MINUTES);
        return new LastPiece(read, stopped, otherSold, resumed, Instant.now(), answer, database.sold(SKU));
    }

    /** Returns the time from the read to the end. */
    Duration length() {
        return Duration.between(read, ended);
    }
}
