package io.holdfast.benchmarks;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The work of the threads of this process that still run, since each of them started, without the one that reads these
 * figures. The time of a processor and the waits are 0 on other systems than Linux.
 *
 * @param allocatedBytes the memory that they allocated on the heap
 * @param cpuMicros the time of a processor, in µs
 * @param waits how often one of them stopped to wait, so that another one had to wake it
 */
record ClientWork(double allocatedBytes, double cpuMicros, double waits) {

    private static final Path THREADS = Path.of("/proc/self/task");
    private static final Path OWN = Path.of("/proc/thread-self");
    private static final String WAITS = "voluntary_ctxt_switches:";
    private static final double NANOS_PER_MICRO = 1_000;

    /** Reads the present figures. */
    static ClientWork now() {
        double cpuMicros = 0;
        double waits = 0;
        for (Path thread : otherThreads()) {
            try {
                String nanos = Files.readString(thread.resolve("schedstat"));
                waits += waits(thread);
                cpuMicros += Long.parseLong(nanos.substring(0, nanos.indexOf(' '))) / NANOS_PER_MICRO;
            } catch (IOException ended) {
                // The thread has ended since the folder was read.
            }
        }
        return new ClientWork(allAllocated(), cpuMicros, waits);
    }

    private static List<Path> otherThreads() {
        if (!Files.isDirectory(THREADS)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(THREADS)) {
            Path own = OWN.toRealPath().getFileName();
            return all.filter(thread -> !thread.endsWith(own)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long waits(Path thread) throws IOException {
        return Files.readAllLines(thread.resolve("status")).stream()
                .filter(line -> line.startsWith(WAITS))
                .mapToLong(line -> Long.parseLong(line.substring(WAITS.length()).strip()))
                .sum();
    }

    private static long allAllocated() {
        ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        long own = Thread.currentThread().getId();
        long[] others = LongStream.of(threads.getAllThreadIds())
                .filter(thread -> thread != own)
                .toArray();
        return LongStream.of(threads.getThreadAllocatedBytes(others))
                .map(bytes -> Math.max(0, bytes))
                .sum();
    }

    /** Returns what has been done since the earlier reading. */
    ClientWork since(ClientWork earlier) {
        return new ClientWork(
                allocatedBytes - earlier.allocatedBytes, cpuMicros - earlier.cpuMicros, waits - earlier.waits);
    }

    /** Returns the part of one of so many cycles. */
    ClientWork per(double cycles) {
        return new ClientWork(allocatedBytes / cycles, cpuMicros / cycles, waits / cycles);
    }
}
