package io.holdfast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.Eventually;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReaderThreadTest {

    private final AtomicBoolean isWatched = new AtomicBoolean(true);
    private final AtomicInteger runs = new AtomicInteger();
    private final CompletableFuture<Thread> first = new CompletableFuture<>();
    private final CompletableFuture<Thread> third = new CompletableFuture<>();

    private void fail() {
        first.complete(Thread.currentThread());
        switch (runs.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("planned");
            case 2 -> throw new StackOverflowError("planned");
            default -> third.complete(Thread.currentThread());
        }
    }

    @Test
    void start_taskThrows_isRepeatedByTheSameThread() {
        ReaderThread reader = new ReaderThread("reader", 1, isWatched::get, this::fail);

        reader.start();

        Thread thread = Eventually.result(third);
        assertThat(thread).isSameAs(first.join());
        reader.close();
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void start_nobodyLooked_beginsAgain() {
        ReaderThread reader = new ReaderThread("reader", 1, isWatched::get, this::fail);
        reader.start();
        Thread thread = Eventually.result(first);
        isWatched.set(false);
        Eventually.eventually("the end", () -> !thread.isAlive());
        int before = runs.get();

        isWatched.set(true);
        reader.start();

        Eventually.eventually("another run", () -> runs.get() > before);
        reader.close();
    }
}
