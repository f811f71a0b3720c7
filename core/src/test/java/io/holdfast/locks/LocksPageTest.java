package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HeldRecord;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Loss;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.record.LockRecord;
import io.holdfast.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.Test;

/** The Java of {@code docs/locks.md}. */
class LocksPageTest {

    private static final Path THIS = Path.of("src/test/java/io/holdfast/locks/LocksPageTest.java");

    private final Orders orders = new Orders();
    private final Catalogue catalogue = new Catalogue();
    private final Scheduler scheduler = new Scheduler();

    private int runs;

    @Test
    void examples_run_doWhatThePageSays() throws InterruptedException {
        try (SystemTime time = new SystemTime();
                Holdfast holdfast = Holdfast.forTesting(List.of(new InMemoryNode("node", time)), time, new Random(1))) {
            Lock lock = ReentrantDistributedLock.of(holdfast.lock("order:42"));
            lock.lock();
            try {
                orders.ship(42);
            } finally {
                lock.unlock();
            }
            shipForOwner(holdfast);
            readUnderLock(holdfast);
            runOnce(holdfast);
            runOnce(holdfast);
            LeaderElection election = LeaderElection.start(holdfast.lock("leader"), new LeaderElection.Candidate() {
                @Override
                public void elected(Lease lease) {
                    scheduler.start(lease.fencingToken());
                }

                @Override
                public void resigned(Lease lease) {
                    scheduler.stop();
                }

                @Override
                public void deposed(Loss loss) {
                    scheduler.stop();
                }
            });
            scheduler.started.await();
            election.close();
        }
        assertThat(orders.shipped).isEqualTo(42);
        assertThat(catalogue.found).isEqualTo(42);
        assertThat(runs).isOne();
        assertThat(scheduler.stopped).isTrue();
    }

    private void runOnce(Holdfast holdfast) throws InterruptedException {
        Instant midnight = Instant.now().minus(Duration.ofHours(1));
        try (Lease lease = holdfast.lock("nightly").acquire()) {
            HeldRecord record = lease.record();
            LockRecord last = record.read();
            if (last.isCompleteSince(midnight) && !ranSince(midnight, last.text())) {
                run();
                record.write(Instant.now().toString(), Duration.ofDays(2));
            }
        }
    }

    private static boolean ranSince(Instant midnight, String last) {
        return !last.isEmpty() && Instant.parse(last).isAfter(midnight);
    }

    private void run() {
        runs++;
    }

    private void shipForOwner(Holdfast holdfast) throws InterruptedException {
        Object request = new Object();
        OwnedLock lock = OwnedLock.of(holdfast.lock("order:42"));
        lock.by(request).run(held -> orders.ship(42));
    }

    private void readUnderLock(Holdfast holdfast) {
        ReadWriteLock lock = ReentrantDistributedReadWriteLock.of(holdfast.lock("catalogue"));
        lock.readLock().lock();
        try {
            catalogue.find(42);
        } finally {
            lock.readLock().unlock();
        }
    }

    @Test
    void examples_ofThePage_areInThisFile() throws IOException {
        String here = Files.readString(THIS);
        boolean[] inside = new boolean[1];
        List<String> examples = Files.readAllLines(Path.of("../docs/locks.md")).stream()
                .filter(line -> {
                    boolean fence = line.startsWith("```");
                    inside[0] = fence ? line.equals("```java") : inside[0];
                    return inside[0] && !fence;
                })
                .map(String::strip)
                .toList();

        assertThat(examples)
                .hasSizeGreaterThan(10)
                .allSatisfy(line -> assertThat(here).contains(line));
    }

    private static final class Catalogue {
        private int found;

        void find(int article) {
            found = article;
        }
    }

    private static final class Orders {
        private int shipped;

        void ship(int order) {
            shipped = order;
        }
    }

    private static final class Scheduler {
        private final CountDownLatch started = new CountDownLatch(1);
        private boolean stopped;

        void start(FencingToken token) {
            assertThat(token.value()).isPositive();
            started.countDown();
        }

        void stop() {
            stopped = true;
        }
    }
}
