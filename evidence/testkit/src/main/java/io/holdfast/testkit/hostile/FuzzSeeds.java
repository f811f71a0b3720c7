package io.holdfast.testkit.hostile;

import java.time.Duration;
import java.util.Locale;

/**
 * The seeds of a fuzz test: a fixed number of them, or new ones for {@code -Dholdfast.fuzz.seconds}. A build without
 * that option always runs the same seeds. {@code -Dholdfast.seed} repeats a single one.
 */
public final class FuzzSeeds {

    private static final long SECONDS = Long.getLong("holdfast.fuzz.seconds", 0);

    private FuzzSeeds() {}

    /** A test of one seed. */
    public interface SeedTest {

        /** Runs the test; all its choices follow from the seed. */
        void run(long seed) throws Exception;
    }

    /**
     * Runs the test with many seeds, and prints how many in the long form.
     *
     * @param few the number of seeds in the short form
     * @throws AssertionError if the test fails; names the seed
     */
    public static void run(String name, int few, SeedTest test) {
        Long only = Long.getLong("holdfast.seed");
        if (only != null) {
            run(only, test);
            return;
        }
        boolean isLong = SECONDS > 0;
        long first = isLong ? System.currentTimeMillis() * 1_000 : 1;
        long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
        long seed = first;
        while (isLong ? System.nanoTime() - end < 0 : seed < first + few) {
            run(seed++, test);
        }
        if (isLong) {
            System.out.printf(Locale.ROOT, "%s: %,d seeds in %d s, from %d%n", name, seed - first, SECONDS, first);
        }
    }

    private static void run(long seed, SeedTest test) {
        try {
            test.run(seed);
        } catch (Exception | AssertionError e) {
            throw new AssertionError("-Dholdfast.seed=" + seed + " fails: " + e.getMessage(), e);
        }
    }
}
