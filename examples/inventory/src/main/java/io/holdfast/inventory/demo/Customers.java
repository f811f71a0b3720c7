package io.holdfast.inventory.demo;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Customers that buy one piece each, at several shops at the same time. */
public final class Customers {

    private final List<ShopProcess> shops;
    private final String way;
    private final String sku;
    private volatile int requests;
    private final AtomicInteger sent = new AtomicInteger();

    /** Creates customers of one article, which buy when {@link #buy} is called. */
    public Customers(List<ShopProcess> shops, String way, String sku, int requests) {
        this.shops = shops;
        this.way = way;
        this.sku = sku;
        this.requests = requests;
    }

    /** Sends the requests, this many at a time. The future completes when all have been answered. */
    public CompletableFuture<Void> buy(int atATime) {
        return CompletableFuture.allOf(IntStream.range(0, atATime)
                .mapToObj(customer -> CompletableFuture.runAsync(this::buyAll, Customers::thread))
                .toArray(CompletableFuture[]::new));
    }

    private static void thread(Runnable task) {
        Thread thread = new Thread(task, "customers");
        thread.setDaemon(true);
        thread.start();
    }

    private void buyAll() {
        for (int number = sent.getAndIncrement(); number < requests; number = sent.getAndIncrement()) {
            buyOne(number);
        }
    }

    /** Tries the next shop if one is closed. A request that was cut off may have been a sale: the database counts. */
    private void buyOne(int number) {
        for (int tries = 0; tries < shops.size(); tries++) {
            try {
                shops.get((number + tries) % shops.size()).sell(way, sku, 1).join();
                return;
            } catch (CompletionException closed) {
                // The next shop sells the same pieces.
            }
        }
    }

    /** Ends the requests when at least this many have been sent: customers without a limit buy until then. */
    public void finish(int atLeast) {
        requests = Math.max(atLeast, sent.get());
    }

    /** Returns the number of requests that have been sent. */
    public int sent() {
        return Math.min(sent.get(), requests);
    }
}
