package io.holdfast.simulation.plan;

import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Everything that determines a run. Two runs of equal plans are the same to the last message.
 *
 * @param seed the seed of all other random choices
 * @param nodes the number of nodes, of which all clients have a majority
 * @param previousNodes the number of nodes of another set, between which and these the clients are changed; 0: none
 * @param clients the number of processes that contend
 * @param workers the number of workers in each process
 * @param resources the number of locks they contend on
 * @param lease the options with which the locks are held
 * @param shared the share of leases that are requested shared, from 0 to 1
 * @param config the configuration that all clients share
 * @param faults the faults that strike
 * @param trouble the duration of each time of trouble
 * @param idle the time without requests between two times of trouble
 * @param rounds the number of times of trouble
 * @param everything whether each client has users who call every public method, beside its workers
 */
public record Plan(
        long seed,
        int nodes,
        int previousNodes,
        int clients,
        int workers,
        int resources,
        LockOptions lease,
        double shared,
        HoldfastOptions config,
        Faults faults,
        Duration trouble,
        Duration idle,
        int rounds,
        boolean everything) {

    private static final List<Duration> LEASES =
            List.of(Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(10));

    /** Users who call every method ask for many locks. With too few, they would mostly wait for each other. */
    private static final int MORE_LOCKS = 3;

    private static final int WORKERS_BESIDE_USERS = 4;

    /** Draws a plan from the seed, with faults inside the assumptions. */
    public static Plan of(long seed, int nodes) {
        SplittableRandom random = new SplittableRandom(seed * 31 + nodes);
        Duration lease = LEASES.get(random.nextInt(LEASES.size()));
        boolean anyMayForget = nodes == 1 || random.nextInt(3) == 0;
        boolean strict = !anyMayForget && random.nextBoolean();
        LockOptions lock = LockOptions.builder()
                .lease(lease)
                .renewal(random.nextInt(4) > 0)
                .holdLimit(random.nextBoolean() ? LockOptions.FOREVER : lease.multipliedBy(3))
                .waitLimit(lease.multipliedBy(random.nextInt(5)))
                .retryDelays(Duration.ofMillis(20), lease.dividedBy(4).plusMillis(20))
                .fair(random.nextInt(4) == 0)
                .build();
        int rounds = 1 + random.nextInt(2);
        Duration trouble = Duration.ofSeconds(10 + random.nextInt(50));
        Duration idle = Duration.ofMinutes(random.nextInt(45));
        HoldfastOptions config = HoldfastOptions.builder()
                .maxLease(lease)
                .restarts(RestartPolicy.QUARANTINE)
                .strictFences(strict)
                .name("a client")
                .build();
        int clients = 2 + random.nextInt(3);
        int workers = 1 + random.nextInt(3);
        int resources = 1 + random.nextInt(2);
        Faults faults = Faults.drawn(random, anyMayForget, strict, spread(rounds, trouble, idle, strict, lease));
        double shared = random.nextInt(3) == 0 ? random.nextDouble() : 0;
        Plan plan = new Plan(
                seed, nodes, 0, clients, workers, resources, lock, shared, config, faults, trouble, idle, rounds,
                false);
        return random.nextInt(3) == 0 ? plan.withEverything() : plan;
    }

    /**
     * Returns this plan with users who call every public method, and more locks for them. Leases may be longer, and
     * some runs have no faults.
     */
    public Plan withEverything() {
        if (everything) {
            return this;
        }
        SplittableRandom random = new SplittableRandom(seed * 37 + nodes);
        boolean calm = random.nextInt(3) == 0;
        return new Plan(
                seed,
                nodes,
                previousNodes,
                2 + random.nextInt(2),
                WORKERS_BESIDE_USERS,
                resources + MORE_LOCKS,
                lease,
                shared,
                config.toBuilder()
                        .maxLease(lease.lease().multipliedBy(2 + random.nextInt(2)))
                        .build(),
                calm ? Faults.NONE : faults.forManyMessages(),
                trouble,
                idle,
                rounds,
                true);
    }

    /**
     * Returns the greatest difference between the rates of clocks and the world's. Clocks must not diverge by more than
     * a shared quorum configuration allows. Where they replace fences that too few nodes know, they must diverge by
     * less than their margin and the time between two such losses.
     */
    private static double spread(int rounds, Duration trouble, Duration idle, boolean strict, Duration lease) {
        double most = rounds == 1 ? 0.004 : 0.0015;
        double seconds = rounds * (trouble.toSeconds() + 60) + (rounds - 1) * idle.toSeconds();
        return strict ? most : Math.min(most, 0.2 * lease.toMillis() / 1_000 / seconds);
    }

    /** Returns this plan with other faults. */
    public Plan with(Faults newFaults) {
        return with(previousNodes, config, newFaults);
    }

    /** Returns this plan with other options for all clients. */
    public Plan with(HoldfastOptions newConfig) {
        return with(previousNodes, newConfig, faults);
    }

    /** Returns this plan with clients that are changed between this number of other nodes and these. */
    public Plan changing(int previous) {
        return with(previous, config, faults);
    }

    private Plan with(int previous, HoldfastOptions newConfig, Faults newFaults) {
        return new Plan(
                seed,
                nodes,
                previous,
                clients,
                workers,
                resources,
                lease,
                shared,
                newConfig,
                newFaults,
                trouble,
                idle,
                rounds,
                everything);
    }

    /** Returns whether all leases are renewed without an end, so that none may be lost while all is well. */
    public boolean keepsLeases() {
        return lease.renewal() && lease.holdLimit().compareTo(LockOptions.FOREVER) >= 0 && !everything;
    }

    public List<String> names() {
        return IntStream.range(0, resources).mapToObj(i -> "lock-" + (i + 1)).toList();
    }

    /**
     * Returns how soon after the faults every lock must have been granted. That covers the end of the remaining leases
     * and the quarantine of a majority. It also allows 20 s to connect, to retry, and to reach the head of the queue.
     */
    public Duration recoveryBound() {
        return config.maxLease().multipliedBy(3).plusSeconds(20);
    }
}
