package io.holdfast.faults;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.faults.FaultPlan.Load;
import io.holdfast.jedis.JedisNodes;
import io.holdfast.lease.Loss;
import io.holdfast.lettuce.LettuceNodes;
import io.holdfast.node.NodeProvider;
import io.holdfast.testkit.LineLink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A client process: its threads acquire locks, stay inside for a moment and release them, until stdin ends. */
final class ClientProcess {

    /** A command that the suite writes to stdin: hold the two long-held locks. */
    static final char HOLD = 'h';

    /** A command that the suite writes to stdin: release the two long-held locks. */
    static final char RELEASE = 'r';

    /** The byte on stdout that reports that all threads of the client run. */
    private static final int READY = '\n';

    private static final Duration WAIT = Duration.ofSeconds(2);

    private static final int ONE_LONG_STAY_IN = 8;
    private static final long LONG_STAY_MILLIS = 4_000;
    private static final int ONE_READER_IN = 2;
    private static final long POLL_MILLIS = 5;

    private final Holdfast holdfast;
    private final LockOptions options;
    private final int witnessPort;
    private final Load load;
    private volatile boolean stopped;
    private volatile boolean holding;

    private ClientProcess(Holdfast holdfast, LockOptions options, int witnessPort, Load load) {
        this.holdfast = holdfast;
        this.options = options;
        this.witnessPort = witnessPort;
        this.load = load;
    }

    /**
     * Runs the client. Arguments: its number, a seed, threads, the lease in ms, the witness's port, the longest stay in
     * ms, the number of locks, the addresses of the servers, and their longest lease in ms. If there is a previous set,
     * its addresses and its longest lease follow.
     */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        Duration lease = millis(arguments[3]);
        Duration longest = millis(arguments[8]);
        HoldfastOptions config = arguments.length > 9
                ? FaultPlan.options(longest, addresses(arguments[9]), millis(arguments[10]))
                : FaultPlan.options(longest, List.of(), longest);
        LockOptions lock = LockOptions.builder().lease(lease).waitLimit(WAIT).build();
        Load load = new Load(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[6]), millis(arguments[5]));
        int number = Integer.parseInt(arguments[0]);
        NodeProvider redis = number % 2 == 0 ? new LettuceNodes() : new JedisNodes();
        try (Holdfast holdfast = withThreads(() -> Holdfast.connect(addresses(arguments[7]), config, redis))) {
            ClientProcess client = new ClientProcess(holdfast, lock, Integer.parseInt(arguments[4]), load);
            client.run(number, Long.parseLong(arguments[1]));
        }
        System.exit(0);
    }

    private static Duration millis(String argument) {
        return Duration.ofMillis(Long.parseLong(argument));
    }

    private static List<String> addresses(String argument) {
        return List.of(argument.split(","));
    }

    private void run(int number, long seed) throws InterruptedException, IOException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < load.threads(); i++) {
            String name = "client-" + number + "/" + i;
            Random random = new Random(seed * 31 + i);
            all.add(new Thread(() -> visitRepeatedly(witness -> contend(name, witness, random)), name));
        }
        for (String longHeld : List.of(FaultPlan.own(number), FaultPlan.CONTENDED)) {
            String name = "client-" + number + "/" + longHeld;
            all.add(new Thread(() -> visitRepeatedly(witness -> hold(longHeld, name, witness)), name));
        }
        for (Thread thread : all) {
            withThreads(() -> {
                thread.start();
                return thread;
            });
        }
        System.out.write(READY);
        System.out.flush();
        executeCommands();
        for (Thread thread : all) {
            thread.join();
        }
    }

    /** Retries an action that the suite itself needs until threads can be started. */
    private static <T> T withThreads(Supplier<T> start) throws InterruptedException {
        while (true) {
            try {
                return start.get();
            } catch (OutOfMemoryError refused) {
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    /** Executes the suite's commands until the suite closes the pipe or dies. */
    private void executeCommands() throws IOException {
        for (int command = System.in.read(); command >= 0; command = System.in.read()) {
            holding = command == HOLD;
        }
        holding = false;
        stopped = true;
    }

    /** An action of a thread that is connected to the witness. */
    private interface Visitor {
        void visit(LineLink witness) throws IOException, InterruptedException;
    }

    private void visitRepeatedly(Visitor visitor) {
        try (LineLink witness = LineLink.to(witnessPort)) {
            while (!stopped) {
                try {
                    visitor.visit(witness);
                } catch (HoldfastException | OutOfMemoryError expected) {
                    // Servers and thread starts fail in this suite.
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("The witness is gone", e);
        }
    }

    private void contend(String name, LineLink witness, Random random) throws IOException, InterruptedException {
        int index = random.nextInt(load.locks());
        DistributedLock lock = holdfast.lock(
                FaultPlan.resource(index),
                options.toBuilder().fair(FaultPlan.isFair(index)).build());
        boolean reads = FaultPlan.isShared(index) && random.nextInt(ONE_READER_IN) == 0;
        try (Lease lease = (reads ? lock.shared() : lock).acquire()) {
            int longestStayMillis = Math.toIntExact(load.longestStay().toMillis());
            boolean stays = longestStayMillis > 0 && random.nextInt(ONE_LONG_STAY_IN) == 0;
            long millis = stays ? LONG_STAY_MILLIS : random.nextInt(longestStayMillis + 1);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            stay(lease, name, witness, () -> System.nanoTime() - end >= 0);
        }
    }

    private void hold(String resource, String name, LineLink witness) throws IOException, InterruptedException {
        if (!holding) {
            Thread.sleep(POLL_MILLIS);
            return;
        }
        try (Lease lease = holdfast.lock(resource, options).acquire()) {
            stay(lease, name, witness, () -> !holding);
        }
    }

    /** Leaves when the time is over or when the lease is lost, whichever comes first. */
    private static void stay(Lease lease, String name, LineLink witness, BooleanSupplier isOver)
            throws IOException, InterruptedException {
        CountDownLatch lost = new CountDownLatch(1);
        AtomicReference<Loss> loss = new AtomicReference<>();
        lease.onLost(lossSeen -> {
            loss.set(lossSeen);
            lost.countDown();
        });
        long validUntil = validUntil(lease);
        witness.send("enter " + lease.resource() + " " + name + " " + lease.fencingToken() + " "
                + (lease.isShared() ? Witness.SHARED : Witness.EXCLUSIVE) + " " + validUntil);
        try {
            while (!isOver.getAsBoolean() && !lost.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                // If another client enters meanwhile, the witness sees it.
                validUntil = Math.max(validUntil, validUntil(lease));
            }
        } finally {
            Loss known = loss.get();
            witness.send("leave " + lease.resource() + " " + name + " "
                    + (known == null ? 0 : known.overrun().toMillis()) + " "
                    + (known == null ? Witness.LIVE : known.reason()) + " "
                    + (known == null ? Long.MAX_VALUE : validUntil));
        }
    }

    private static long validUntil(Lease lease) {
        return System.nanoTime() + lease.remaining().toNanos();
    }
}
