package io.holdfast.lettuce;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** A process that increments a counter in a file without atomicity: it reads the number, adds one and writes it. */
final class CounterProcess {

    private static final Duration ENOUGH = Duration.ofSeconds(1);

    private CounterProcess() {}

    /** Arguments: the file, threads, increments of each thread, addresses. */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        Path counter = Path.of(arguments[0]);
        int threads = Integer.parseInt(arguments[1]);
        int increments = Integer.parseInt(arguments[2]);
        List<String> uris = Arrays.asList(arguments).subList(3, arguments.length);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (Holdfast holdfast = Holdfast.connect(uris)) {
            DistributedLock lock = holdfast.lock(
                    "counter",
                    LockOptions.builder().waitLimit(LockOptions.FOREVER).build());
            Callable<Void> task = () -> increment(lock, counter, increments);
            for (Future<Void> done :
                    pool.invokeAll(Stream.generate(() -> task).limit(threads).toList())) {
                done.get();
            }
        } finally {
            pool.shutdown();
        }
    }

    private static Void increment(DistributedLock lock, Path counter, int times)
            throws InterruptedException, IOException {
        for (int i = 0; i < times; i++) {
            try (Lease lease = lock.acquire()) {
                lease.ensureValidFor(ENOUGH);
                int before = Integer.parseInt(Files.readString(counter));
                Files.writeString(counter, Integer.toString(before + 1));
            }
        }
        return null;
    }
}
