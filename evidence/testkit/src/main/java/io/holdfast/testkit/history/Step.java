package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Operation.Kind;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Operations of one process on the register that take effect together, at an instant between the begin and the end.
 *
 * @param ended the greatest number if the step may take effect at any later time, or never
 */
record Step(long begun, long ended, List<Operation> operations) {

    /** Takes operations that follow one another. */
    static Step of(List<Operation> operations) {
        return new Step(
                operations.get(0).begun(), operations.get(operations.size() - 1).latest(), operations);
    }

    boolean isPending() {
        return ended == Long.MAX_VALUE;
    }

    /** Returns the value of the register after the step, or null if the step has read another one than this. */
    @Nullable
    Long apply(long value) {
        long current = value;
        for (Operation operation : operations) {
            if (operation.kind() == Kind.WRITE) {
                current = Objects.requireNonNull(operation.value());
            } else if (operation.value() != null && operation.value() != current) {
                return null;
            }
        }
        return current;
    }

    Set<Long> written() {
        return operations.stream()
                .filter(operation -> operation.kind() == Kind.WRITE)
                .map(Operation::value)
                .collect(Collectors.toSet());
    }

    boolean readsAnyOf(Set<Long> values) {
        return operations.stream()
                .anyMatch(operation -> operation.kind() == Kind.READ && values.contains(operation.value()));
    }

    /** Leaves out operations. The rest may still take effect at the same instants. */
    Step only(Predicate<Operation> condition) {
        return new Step(begun, ended, operations.stream().filter(condition).toList());
    }

    /** Returns the step as it was at the time: pending unless it had ended. */
    Step asOf(long time) {
        return ended <= time ? this : new Step(begun, Long.MAX_VALUE, operations);
    }
}
