package io.holdfast.faults;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.Restarts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One client process: its threads take locks, enter, stay for a moment, leave and release, until stdin ends. */
final class ClientProcess {

    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final Duration UNREACHABLE = Duration.ofMillis(500);
    private static final int LONGEST_STAY_MILLIS = 60;
    private static final int ONE_LONG_STAY_IN = 8;
    private static final long LONG_STAY_MILLIS = 4_000;
    private static final int ONE_READER_IN = 2;

    private final Holdfast holdfast;
    private final LockOptions options;
    private final int witnessPort;
    private volatile boolean stopped;

    private ClientProcess(Holdfast holdfast, LockOptions options, int witnessPort) {
        this.holdfast = holdfast;
        this.options = options;
        this.witnessPort = witnessPort;
    }

    /** Arguments: the process's name, a seed, threads, the lease in ms, the witness's port, addresses. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        Duration lease = Duration.ofMillis(Long.parseLong(arguments[3]));
        HoldfastOptions fleet = HoldfastOptions.DEFAULT.withMaxLease(lease).withRestarts(Restarts.QUARANTINE);
        LockOptions lock =
                LockOptions.DEFAULT.withLease(lease).withWaitLimit(WAIT).withUnreachableLimit(UNREACHABLE);
        List<String> uris = Arrays.asList(arguments).subList(5, arguments.length);
        try (Holdfast holdfast = Holdfast.connect(uris, fleet)) {
            ClientProcess client = new ClientProcess(holdfast, lock, Integer.parseInt(arguments[4]));
            client.run(arguments[0], Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
        }
        System.exit(0);
    }

    private void run(String name, long seed, int threads) throws InterruptedException, IOException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String thread = name + "/" + i;
            Random random = new Random(seed * 31 + i);
            all.add(new Thread(() -> contend(thread, random), thread));
        }
        all.forEach(Thread::start);
        while (System.in.read() >= 0) {
            // The suite writes nothing; it closes the pipe, or dies.
        }
        stopped = true;
        for (Thread thread : all) {
            thread.join();
        }
    }

    private void contend(String name, Random random) {
        try (WitnessLink witness = WitnessLink.to(witnessPort)) {
            while (!stopped) {
                String resource = FaultPlan.resource(random.nextInt(FaultPlan.RESOURCES));
                DistributedLock lock = holdfast.lock(resource, options.withFair(FaultPlan.isFair(resource)));
                boolean reads = FaultPlan.isShared(resource) && random.nextInt(ONE_READER_IN) == 0;
                try (Lease lease = (reads ? lock.shared() : lock).acquire()) {
                    stay(lease, name, witness, random);
                } catch (HoldfastException notNow) {
                    // The servers fail; that is what this is about.
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("The witness is gone", e);
        }
    }

    /** Leaves when the time is over or when the lease is lost, whichever is first. */
    private void stay(Lease lease, String name, WitnessLink witness, Random random)
            throws IOException, InterruptedException {
        CountDownLatch lost = new CountDownLatch(1);
        long[] overrun = {0};
        lease.onLost(loss -> {
            overrun[0] = loss.overrun().toMillis();
            lost.countDown();
        });
        witness.tell("enter " + lease.resource() + " " + name + " " + lease.fencingToken() + " "
                + (lease.isShared() ? Witness.SHARED : "alone"));
        boolean stays = random.nextInt(ONE_LONG_STAY_IN) == 0;
        long stayMillis = stays ? LONG_STAY_MILLIS : random.nextInt(LONGEST_STAY_MILLIS);
        lost.await(stayMillis, TimeUnit.MILLISECONDS);
        long late = lease.state().isLive() ? 0 : overrun[0];
        witness.tell("leave " + lease.resource() + " " + name + " " + late);
    }
}
