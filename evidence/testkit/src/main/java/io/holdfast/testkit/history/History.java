package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Operation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operations on one exclusive lock and on the register that it guards, which contains 0 at the beginning. */
public final class History {

    private final List<Operation> operations;
    private final List<Hold> holds = new ArrayList<>();

    /**
     * Copies the operations, in any order.
     *
     * @throws IllegalArgumentException if a process begins an operation while its previous one is under way; a process
     * that continues without an end of its operation needs another name
     */
    public History(List<Operation> operations) {
        this.operations = operations.stream()
                .sorted(Comparator.comparingLong(Operation::begun).thenComparingLong(Operation::latest))
                .toList();
        Map<String, List<Operation>> byProcess = new LinkedHashMap<>();
        for (Operation operation : this.operations) {
            byProcess
                    .computeIfAbsent(operation.process(), process -> new ArrayList<>())
                    .add(operation);
        }
        byProcess.values().forEach(this::addProcess);
        holds.sort(Comparator.comparingLong(Hold::granted));
    }

    private void addProcess(List<Operation> ofProcess) {
        requireSequential(ofProcess);
        Operation acquire = null;
        boolean holds = false;
        List<Operation> later = new ArrayList<>();
        for (Operation operation : ofProcess) {
            if (operation.kind() == Kind.ACQUIRE) {
                addHold(acquire, later);
                acquire = operation;
                holds = !operation.isPending();
                later = new ArrayList<>();
            } else if (holds || operation.kind() == Kind.LOSS) {
                later.add(operation);
                holds &= operation.kind() != Kind.RELEASE;
            }
        }
        addHold(acquire, later);
    }

    private void addHold(@Nullable Operation acquire, List<Operation> later) {
        if (acquire != null && !acquire.isPending()) {
            holds.add(new Hold(acquire, later));
        }
    }

    private static void requireSequential(List<Operation> ofProcess) {
        long busyUntil = Long.MIN_VALUE;
        for (Operation operation : ofProcess) {
            if (operation.kind() != Kind.LOSS) {
                if (operation.begun() < busyUntil) {
                    throw new IllegalArgumentException("The operation before is under way: " + operation);
                }
                busyUntil = operation.latest();
            }
        }
    }

    /** Returns the operations in the order in which they began. */
    public List<Operation> operations() {
        return operations;
    }

    /** Returns the holds in the order of their grants. */
    public List<Hold> holds() {
        return List.copyOf(holds);
    }
}
