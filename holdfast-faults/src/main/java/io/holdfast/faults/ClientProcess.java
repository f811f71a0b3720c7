package io.holdfast.faults;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.jedis.JedisNodes;
import io.holdfast.lease.Loss;
import io.holdfast.lettuce.LettuceNodes;
import io.holdfast.node.NodeProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One client process: its threads take locks, enter, stay for a moment, leave and release, until stdin ends. */
final class ClientProcess {

    /** What the suite writes to stdin: keep two locks, and release them. */
    static final char KEEP = 'k';

    static final char DROP = 'd';

    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final Duration UNREACHABLE = Duration.ofMillis(500);
    /** More than the default: the suite is no measure of a machine that has other things to do. */
    private static final Duration NODE_TIMEOUT = Duration.ofMillis(150);

    private static final int LONGEST_STAY_MILLIS = 60;
    private static final int ONE_LONG_STAY_IN = 8;
    private static final long LONG_STAY_MILLIS = 4_000;
    private static final int ONE_READER_IN = 2;
    private static final long LOOK_AGAIN_MILLIS = 5;

    private final Holdfast holdfast;
    private final LockOptions options;
    private final int witnessPort;
    private volatile boolean stopped;
    private volatile boolean keeps;

    private ClientProcess(Holdfast holdfast, LockOptions options, int witnessPort) {
        this.holdfast = holdfast;
        this.options = options;
        this.witnessPort = witnessPort;
    }

    /** Arguments: the client's number, a seed, threads, the lease in ms, the witness's port, addresses. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        Duration lease = Duration.ofMillis(Long.parseLong(arguments[3]));
        HoldfastOptions config = HoldfastOptions.builder().maxLease(lease).restarts(RestartPolicy.QUARANTINE).build();
        LockOptions lock = LockOptions.builder()
                .lease(lease)
                .waitLimit(WAIT)
                .unreachableLimit(UNREACHABLE)
                .nodeTimeout(NODE_TIMEOUT)
                .build();
        List<String> uris = Arrays.asList(arguments).subList(5, arguments.length);
        int number = Integer.parseInt(arguments[0]);
        NodeProvider redis = number % 2 == 0 ? new LettuceNodes() : new JedisNodes();
        try (Holdfast holdfast = withThreads(() -> Holdfast.connect(uris, config, redis))) {
            ClientProcess client = new ClientProcess(holdfast, lock, Integer.parseInt(arguments[4]));
            client.run(number, Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
        }
        System.exit(0);
    }

    private void run(int number, long seed, int threads) throws InterruptedException, IOException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String name = "client-" + number + "/" + i;
            Random random = new Random(seed * 31 + i);
            all.add(new Thread(() -> meet(witness -> contend(name, witness, random)), name));
        }
        for (String kept : List.of(FaultPlan.own(number), FaultPlan.WANTED)) {
            String name = "client-" + number + "/" + kept;
            all.add(new Thread(() -> meet(witness -> keep(kept, name, witness)), name));
        }
        for (Thread thread : all) {
            withThreads(() -> {
                thread.start();
                return thread;
            });
        }
        obey();
        for (Thread thread : all) {
            thread.join();
        }
    }

    /** What the suite itself needs is tried until threads can be started. */
    private static <T> T withThreads(Supplier<T> start) throws InterruptedException {
        while (true) {
            try {
                return start.get();
            } catch (OutOfMemoryError refused) {
                Thread.sleep(LOOK_AGAIN_MILLIS);
            }
        }
    }

    /** Does what the suite writes, until it closes the pipe or dies. */
    private void obey() throws IOException {
        for (int word = System.in.read(); word >= 0; word = System.in.read()) {
            keeps = word == KEEP;
        }
        keeps = false;
        stopped = true;
    }

    /** What a thread does while it speaks to the witness. */
    private interface Visitor {
        void visit(WitnessLink witness) throws IOException, InterruptedException;
    }

    private void meet(Visitor visitor) {
        try (WitnessLink witness = WitnessLink.to(witnessPort)) {
            while (!stopped) {
                try {
                    visitor.visit(witness);
                } catch (HoldfastException | OutOfMemoryError notNow) {
                    // The servers fail, and the starts of threads: that is what this is about.
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("The witness is gone", e);
        }
    }

    private void contend(String name, WitnessLink witness, Random random) throws IOException, InterruptedException {
        String resource = FaultPlan.resource(random.nextInt(FaultPlan.RESOURCES));
        DistributedLock lock = holdfast.lock(resource, options.toBuilder().fair(FaultPlan.isFair(resource)).build());
        boolean reads = FaultPlan.isShared(resource) && random.nextInt(ONE_READER_IN) == 0;
        try (Lease lease = (reads ? lock.shared() : lock).acquire()) {
            boolean stays = random.nextInt(ONE_LONG_STAY_IN) == 0;
            long millis = stays ? LONG_STAY_MILLIS : random.nextInt(LONGEST_STAY_MILLIS);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            stay(lease, name, witness, () -> System.nanoTime() - end >= 0);
        }
    }

    private void keep(String resource, String name, WitnessLink witness) throws IOException, InterruptedException {
        if (!keeps) {
            Thread.sleep(LOOK_AGAIN_MILLIS);
            return;
        }
        try (Lease lease = holdfast.lock(resource, options).acquire()) {
            stay(lease, name, witness, () -> !keeps);
        }
    }

    /** Leaves when the time is over or when the lease is lost, whichever is first. */
    private static void stay(Lease lease, String name, WitnessLink witness, BooleanSupplier isOver)
            throws IOException, InterruptedException {
        CountDownLatch lost = new CountDownLatch(1);
        AtomicReference<Loss> loss = new AtomicReference<>();
        lease.onLost(news -> {
            loss.set(news);
            lost.countDown();
        });
        witness.tell("enter " + lease.resource() + " " + name + " " + lease.fencingToken() + " "
                + (lease.isShared() ? Witness.SHARED : "alone"));
        try {
            while (!isOver.getAsBoolean() && !lost.await(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                // Somebody else may be about to enter, which the witness would see.
            }
        } finally {
            Loss known = loss.get();
            witness.tell("leave " + lease.resource() + " " + name + " "
                    + (known == null ? 0 : known.overrun().toMillis()) + " "
                    + (known == null ? Witness.LIVE : known.reason()));
        }
    }
}
