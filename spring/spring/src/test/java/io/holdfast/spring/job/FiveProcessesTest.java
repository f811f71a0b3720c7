package io.holdfast.spring.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.jobs.JobHistory;
import io.holdfast.jobs.JobRun;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.record.RecordStore;
import io.holdfast.spring.EnableHoldfastLocks;
import io.holdfast.spring.HoldfastLock;
import io.holdfast.spring.LockFactory;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Five applications start the same job at midnight by their own clocks, which differ by up to 30 s. Each has a client
 * of its own, and three nodes in memory are common to all.
 */
class FiveProcessesTest {

    private static final int PROCESSES = 5;
    private static final int DAYS = 25;
    /** After a kill, a day takes a lease. */
    private static final int DAYS_BETWEEN_KILLS = 12;

    private static final Duration LEASE = Duration.ofSeconds(3);

    @SuppressWarnings("TimeInStaticInitializer")
    private static final ZonedDateTime FIRST = ZonedDateTime.now(ZoneId.systemDefault())
            .truncatedTo(ChronoUnit.DAYS)
            .plusDays(2);

    private final SystemTime time = new SystemTime();
    private final List<InMemoryNode> nodes = IntStream.range(0, 3)
            .mapToObj(number -> new InMemoryNode("node" + number, time))
            .toList();
    private final Holdfast observer = client(99, () -> false);
    private final AtomicReference<Trouble> trouble = new AtomicReference<>(Trouble.NONE);
    private final AtomicInteger successes = new AtomicInteger();
    private final Random random = new Random(7);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Instance> processes = new ArrayList<>();

    private Holdfast client(int seed, BooleanSupplier isDead) {
        return Holdfast.over(
                nodes.stream().map(node -> new Link(node, isDead)).toList(),
                HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build(),
                time,
                new Random(seed));
    }

    /** The connection of a process to a node, which ends with the process. */
    private static final class Link extends ForwardingNode {

        private final BooleanSupplier isDead;

        Link(InMemoryNode node, BooleanSupplier isDead) {
            super(node);
            this.isDead = isDead;
        }

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            return isDead.getAsBoolean()
                    ? CompletableFuture.completedFuture(new Reply.Failed(false, "not connected", false))
                    : super.ask(claim);
        }

        @Override
        public RecordStore records() {
            return isDead.getAsBoolean() ? RecordStore.NONE : super.records();
        }
    }

    @AfterEach
    void stop() {
        processes.forEach(Instance::close);
        threads.shutdownNow();
        observer.close();
        time.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableHoldfastLocks
    static class Enabled {}

    /** The trouble of the first run of a day. */
    enum Trouble {
        NONE,
        EXCEPTION,
        KILL
    }

    /** The job. */
    static class Job {

        private final FiveProcessesTest all;
        private final Runnable kill;

        Job(FiveProcessesTest all, Runnable kill) {
            this.all = all;
            this.kill = kill;
        }

        @HoldfastLock(value = "job", oncePer = "0 0 0 * * *", lease = "3s")
        public void run() {
            Trouble trouble = all.trouble.getAndSet(Trouble.NONE);
            if (trouble == Trouble.KILL) {
                kill.run();
            }
            if (trouble != Trouble.NONE) {
                throw new IllegalStateException("the trouble of the day");
            }
            all.successes.incrementAndGet();
        }
    }

    /** An application with a clock of its own. */
    private final class Instance implements AutoCloseable {

        private final Holdfast holdfast;
        private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        private volatile boolean isDead;
        private volatile Instant now = Instant.EPOCH;

        Instance(int number) {
            this.holdfast = client(number, () -> isDead);
            LockOptions options = LockOptions.builder().lease(LEASE).build();
            LockFactory locks = new LockFactory(holdfast, "", name -> options).withClock(() -> now);
            context.getBeanFactory().registerSingleton("client", holdfast);
            context.getBeanFactory().registerSingleton("locks", locks);
            context.registerBean(Job.class, () -> new Job(FiveProcessesTest.this, () -> isDead = true));
            context.register(Enabled.class);
            context.refresh();
        }

        CompletableFuture<Boolean> fire(ZonedDateTime own) {
            now = own.toInstant();
            return CompletableFuture.supplyAsync(this::succeeds, threads);
        }

        private boolean succeeds() {
            try {
                context.getBean(Job.class).run();
                return true;
            } catch (RuntimeException failed) {
                return false;
            }
        }

        @Override
        public void close() {
            context.close();
            holdfast.close();
        }
    }

    /**
     * The clocks differ, so the processes start at different moments: those with fast clocks may have ended before the
     * others begin.
     */
    @Test
    void midnights_clocksDifferAndRunsFail_succeedOncePerDay() {
        for (int day = 0; day < DAYS; day++) {
            Trouble today =
                    day % DAYS_BETWEEN_KILLS == 2 ? Trouble.KILL : day % 2 == 0 ? Trouble.NONE : Trouble.EXCEPTION;
            trouble.set(today);
            processes.removeIf(process -> process.isDead);
            while (processes.size() < PROCESSES) {
                processes.add(new Instance(processes.size()));
            }
            int fast = day % PROCESSES;
            ZonedDateTime midnight = FIRST.plusDays(day);

            List<CompletableFuture<Boolean>> first = fire(processes.subList(0, fast), midnight);
            first.forEach(CompletableFuture::join);
            List<CompletableFuture<Boolean>> calls = new ArrayList<>(first);
            calls.addAll(fire(processes.subList(fast, PROCESSES), midnight));

            assertThat(calls.stream().filter(call -> !call.join())).hasSize(today == Trouble.NONE ? 0 : 1);
            assertThat(successes).as("day %d", day).hasValue(day + 1);
        }

        List<JobRun> runs =
                JobHistory.of(observer.admin().record("job")).orElseThrow().runs();
        assertThat(runs).hasSize(JobHistory.MOST_RUNS);
        assertThat(runs)
                .filteredOn(run -> run.runner().program().equals("Job.run"))
                .hasSize(JobHistory.MOST_RUNS);
    }

    /** A timer fires up to a few milliseconds late, or early. */
    private List<CompletableFuture<Boolean>> fire(List<Instance> some, ZonedDateTime midnight) {
        return some.stream()
                .map(process -> process.fire(midnight.plus(Duration.ofMillis(random.nextInt(-20, 200)))))
                .toList();
    }
}
