package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Operation.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a history of a lock that keeps its promises, or breaks one of them once. */
final class RandomHistory {

    /** The hold that breaks the promise, or the first one of two that do. */
    private static final int FAULTY = 3;

    private static final int PROCESSES = 5;
    private static final int OBSERVERS = 2;

    private final Random random;
    private final Violation.@Nullable Kind fault;
    private final boolean hasTokens;
    private final boolean isCounter;
    private final List<Operation> operations = new ArrayList<>();
    private final List<Operation> acquires = new ArrayList<>();
    private final Set<Long> tokens = new HashSet<>();
    /** The values of the register, by the time at which they were written. */
    private final TreeMap<Long, Long> values = new TreeMap<>();

    private final @Nullable Long[] tokenOf = new Long[PROCESSES];
    private final String[] names = new String[PROCESSES];
    private final long[] busyUntil = new long[PROCESSES];
    private long now = 1;
    private long greatestValue;
    private int holder;
    /** The late operations of the process before, while the next one holds the lock. */
    private Runnable late = () -> {};

    private RandomHistory(Random random, Violation.@Nullable Kind fault) {
        this.random = random;
        this.fault = fault;
        this.hasTokens = fault == Violation.Kind.TOKEN || random.nextInt(4) > 0;
        this.isCounter = fault == null && random.nextBoolean();
        values.put(0L, 0L);
        for (int i = 0; i < PROCESSES; i++) {
            names[i] = "p" + i;
        }
        int holds = FAULTY + 2 + random.nextInt(8);
        for (int i = 0; i < holds; i++) {
            hold(fault != null && i == FAULTY, fault != null && i == FAULTY + 1);
        }
        for (int i = 0; i < OBSERVERS; i++) {
            observe("observer" + i);
        }
    }

    /** Makes a history without a violation. In some, a coarse clock lets operations seem to overlap. */
    static List<Operation> correct(Random random) {
        long unit = random.nextBoolean() ? 1 : 1 + random.nextInt(200);
        return new RandomHistory(random, null)
                .operations.stream()
                        .map(one -> new Operation(
                                one.process(),
                                one.kind(),
                                one.begun() / unit,
                                one.ended() == null ? null : one.ended() / unit,
                                one.token(),
                                one.value()))
                        .toList();
    }

    /** Makes a history with one violation. */
    static List<Operation> with(Violation.Kind fault, Random random) {
        RandomHistory made = new RandomHistory(random, fault);
        if (fault == Violation.Kind.REGISTER) {
            made.falsifyRead();
        }
        return made.operations;
    }

    private long pass() {
        now += 1 + random.nextInt(20);
        return now;
    }

    private void add(int process, Kind kind, long begun, @Nullable Long ended, @Nullable Long value) {
        operations.add(new Operation(names[process], kind, begun, ended, tokenOf[process], value));
        busyUntil[process] = ended == null ? now : Math.max(busyUntil[process], ended);
    }

    private void hold(boolean isFaulty, boolean isNext) {
        holder = (holder + 1 + random.nextInt(PROCESSES - 1)) % PROCESSES;
        acquire(isNext);
        for (int i = isFaulty || isNext ? 1 : random.nextInt(3); i > 0; i--) {
            read(holder);
            if (isNext || (!isFaulty && random.nextInt(4) > 0)) {
                write(holder);
            }
        }
        late.run();
        late = () -> {};
        end(isFaulty, isNext);
    }

    private void acquire(boolean isNext) {
        long earliest = busyUntil[holder];
        if (isNext && fault == Violation.Kind.TOKEN) {
            earliest = Math.max(earliest, acquires.get(acquires.size() - 1).latest());
        }
        pass();
        long begun = earliest + 1 + (long) (random.nextDouble() * (now - earliest));
        now = Math.max(now, begun);
        tokenOf[holder] = hasTokens ? newToken(begun, isNext && fault == Violation.Kind.TOKEN) : null;
        add(holder, Kind.ACQUIRE, begun, pass(), null);
        acquires.add(operations.get(operations.size() - 1));
    }

    /** Returns a token above those that were granted before, or not above the last one. */
    private long newToken(long begun, boolean isTooLow) {
        long floor = acquires.stream()
                .filter(acquire -> acquire.latest() <= begun)
                .mapToLong(acquire -> Objects.requireNonNull(acquire.token()))
                .max()
                .orElse(10);
        long next = isTooLow
                ? Objects.requireNonNull(acquires.get(acquires.size() - 1).token()) - random.nextInt(3)
                : floor + 1 + random.nextInt(3);
        while (!tokens.add(next) && !isTooLow) {
            next++;
        }
        return next;
    }

    private void read(int process) {
        long begun = pass();
        long value = values.floorEntry(pass()).getValue();
        add(process, Kind.READ, begun, pass(), value);
    }

    private void write(int process) {
        long begun = pass();
        long value = newValue();
        values.put(pass(), value);
        add(process, Kind.WRITE, begun, pass(), value);
    }

    /** Returns a value that no write had before, or counts as processes do that know of no write that was pending. */
    private long newValue() {
        greatestValue++;
        return isCounter ? values.lastEntry().getValue() + 1 : greatestValue;
    }

    private void end(boolean isFaulty, boolean isNext) {
        int process = holder;
        int way = isNext ? 0 : random.nextInt(10);
        if (isFaulty && fault == Violation.Kind.OVERLAP) {
            late = () -> add(process, Kind.RELEASE, pass(), pass(), null);
        } else if (isFaulty && fault == Violation.Kind.LATE_LOSS) {
            long end = pass();
            late = () -> add(process, Kind.LOSS, end, pass(), null);
        } else if (isFaulty && fault == Violation.Kind.UPDATE) {
            add(process, Kind.LOSS, pass(), pass(), null);
            late = () -> write(process);
        } else if (way < 5) {
            add(process, Kind.RELEASE, pass(), pass(), null);
            late = way < 3 ? late : () -> read(process);
        } else if (way < 7) {
            add(process, Kind.LOSS, pass(), pass(), null);
            late = way < 6 ? late : () -> add(process, Kind.RELEASE, pass(), pass(), null);
        } else if (way < 8) {
            long end = pass();
            long begun = pass();
            late = () -> {
                add(process, Kind.RELEASE, begun, pass(), null);
                add(process, Kind.LOSS, end, pass(), null);
            };
        } else {
            kill();
        }
    }

    /** Ends a process in a write, which takes effect or not, or between two operations. */
    private void kill() {
        if (random.nextInt(3) > 0) {
            long begun = pass();
            long value = newValue();
            if (random.nextBoolean()) {
                values.put(pass(), value);
            }
            add(holder, Kind.WRITE, begun, null, value);
        }
        busyUntil[holder] = pass();
        names[holder] += "'";
    }

    private void observe(String name) {
        for (long time = random.nextInt(50); time < now; time += random.nextInt(200)) {
            long begun = time;
            time += 1 + random.nextInt(100);
            long value = values.floorEntry(time).getValue();
            time += 1 + random.nextInt(100);
            operations.add(new Operation(name, Kind.READ, begun, time, null, value));
        }
    }

    /** Lets a read return a value that was overwritten before, or written later, or never. */
    private void falsifyRead() {
        List<Operation> reads = operations.stream().filter(Operation::isRead).toList();
        Operation read = reads.get(random.nextInt(reads.size()));
        long greatest = greatestValue + 1;
        long value = random.nextLong(greatest + 1);
        for (int i = 0; !isImpossible(read, value); i++) {
            value = i < 20 ? random.nextLong(greatest + 1) : greatest + 1;
        }
        Operation falsified =
                new Operation(read.process(), read.kind(), read.begun(), read.ended(), read.token(), value);
        operations.set(operations.indexOf(read), falsified);
    }

    private boolean isImpossible(Operation read, long value) {
        return writes(value).allMatch(write -> write.begun() > read.latest() || isOverwritten(write, read));
    }

    private boolean isOverwritten(Operation write, Operation read) {
        long value = Objects.requireNonNull(write.value());
        return operations.stream()
                .filter(other -> other.kind() == Kind.WRITE && other.value() != null && other.value() != value)
                .anyMatch(other -> write.latest() < other.begun() && other.latest() < read.begun());
    }

    /** Returns the writes of the value, and one at the beginning if it is the first one. */
    private Stream<Operation> writes(long value) {
        Operation first = new Operation("initial", Kind.WRITE, -1, -1L, null, 0L);
        return Stream.concat(Stream.of(first), operations.stream())
                .filter(operation ->
                        operation.kind() == Kind.WRITE && Long.valueOf(value).equals(operation.value()));
    }
}
