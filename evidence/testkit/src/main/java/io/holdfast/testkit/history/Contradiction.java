package io.holdfast.testkit.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds a small part of a history that contradicts itself. */
final class Contradiction {

    private Contradiction() {}

    /**
     * Returns no operations if the steps can be ordered. Otherwise takes the steps until no order is left, and leaves
     * out values and reads without which there is no order either.
     *
     * <p>An order of all steps is also one without all reads and writes of a value, and without any read: the remaining
     * reads see the same writes.
     */
    static List<Operation> in(List<Step> all) {
        OptionalLong failure = Linearization.failure(all);
        if (failure.isEmpty()) {
            return List.of();
        }
        long end = failure.getAsLong();
        List<Step> steps = all.stream()
                .filter(step -> step.begun() <= end)
                .map(step -> step.asOf(end))
                .toList();
        Set<Long> values = new HashSet<>(smallest(
                operations(steps)
                        .flatMap(operation -> Stream.ofNullable(operation.value()))
                        .distinct()
                        .toList(),
                some -> fails(steps, operation -> some.contains(operation.value()))));
        List<Step> fewer = only(steps, operation -> values.contains(operation.value()));
        Set<Operation> reads = new HashSet<>(smallest(
                operations(fewer).filter(Operation::isRead).toList(),
                some -> fails(fewer, operation -> !operation.isRead() || some.contains(operation))));
        return operations(only(fewer, operation -> !operation.isRead() || reads.contains(operation)))
                .toList();
    }

    private static boolean fails(List<Step> steps, Predicate<Operation> condition) {
        return Linearization.failure(only(steps, condition)).isPresent();
    }

    private static List<Step> only(List<Step> steps, Predicate<Operation> condition) {
        return steps.stream()
                .map(step -> step.only(condition))
                .filter(step -> !step.operations().isEmpty())
                .toList();
    }

    private static Stream<Operation> operations(List<Step> steps) {
        return steps.stream().flatMap(step -> step.operations().stream());
    }

    /** Leaves out more and more small groups of items as long as the condition holds for the others. */
    private static <T> List<T> smallest(List<T> items, Predicate<Set<T>> condition) {
        List<T> kept = items;
        for (int size = Math.max(1, kept.size() / 2); size > 0; size /= 2) {
            for (int from = 0; from < kept.size(); ) {
                List<T> fewer = new ArrayList<>(kept);
                fewer.subList(from, Math.min(from + size, fewer.size())).clear();
                if (condition.test(new HashSet<>(fewer))) {
                    kept = fewer;
                } else {
                    from += size;
                }
            }
        }
        return kept;
    }
}
