package io.holdfast.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Judges a history of a lock and its register. */
public final class HistoryChecker {

    private HistoryChecker() {}

    /**
     * Returns the violations: the shortest one of the register or of its updates, and for each hold at most one of each
     * other kind.
     */
    public static List<Violation> check(History history) {
        List<Violation> violations = new ArrayList<>();
        checkRegister(history).ifPresent(violations::add);
        checkOverlaps(history.holds(), violations);
        checkTokens(history.holds(), violations);
        checkLosses(history.holds(), violations);
        return violations;
    }

    /**
     * Checks each operation by itself. If they are linearizable, checks those of a hold as one. Reads without a hold
     * may see what a holder has written meanwhile.
     */
    private static Optional<Violation> checkRegister(History history) {
        List<Operation> register =
                history.operations().stream().filter(Operation::isOnRegister).toList();
        List<Operation> contradiction = Contradiction.in(alone(register.stream()));
        if (!contradiction.isEmpty()) {
            return Optional.of(new Violation(Violation.Kind.REGISTER, contradiction));
        }
        List<Step> steps = new ArrayList<>();
        Set<Operation> others = new LinkedHashSet<>(register);
        for (Hold hold : history.holds()) {
            List<Operation> completed = hold.later().stream()
                    .filter(operation -> operation.isOnRegister() && !operation.isPending())
                    .toList();
            if (!completed.isEmpty()) {
                steps.add(Step.of(completed));
                others.removeAll(completed);
            }
        }
        steps.addAll(alone(others.stream().filter(operation -> !operation.isRead())));
        List<Operation> lost = Contradiction.in(steps);
        return lost.isEmpty() ? Optional.empty() : Optional.of(new Violation(Violation.Kind.UPDATE, lost));
    }

    private static List<Step> alone(Stream<Operation> operations) {
        return operations.map(operation -> Step.of(List.of(operation))).toList();
    }

    /** Compares each hold with the one before that lasted the longest. */
    private static void checkOverlaps(List<Hold> holds, List<Violation> violations) {
        Hold longest = null;
        for (Hold hold : holds) {
            if (longest != null && longest.overlap(hold) > 0) {
                violations.add(new Violation(
                        Violation.Kind.OVERLAP,
                        Stream.of(longest.acquire(), longest.last(), hold.acquire(), hold.last())
                                .distinct()
                                .toList()));
            }
            if (longest == null || hold.reliedUntil() > longest.reliedUntil()) {
                longest = hold;
            }
        }
    }

    /** Compares each token with the greatest one that was granted before its acquire began. */
    private static void checkTokens(List<Hold> holds, List<Violation> violations) {
        List<Operation> granted = holds.stream()
                .map(Hold::acquire)
                .filter(acquire -> acquire.token() != null)
                .toList();
        List<Operation> begun = granted.stream()
                .sorted(Comparator.comparingLong(Operation::begun))
                .toList();
        TreeMap<Long, Operation> before = new TreeMap<>();
        Map<Long, Operation> all = new HashMap<>();
        int next = 0;
        for (Operation acquire : begun) {
            for (; granted.get(next).latest() < acquire.begun(); next++) {
                before.put(token(granted.get(next)), granted.get(next));
            }
            Operation same = all.putIfAbsent(token(acquire), acquire);
            boolean isTooLow = !before.isEmpty() && token(acquire) <= before.lastKey();
            Operation rival = isTooLow ? before.lastEntry().getValue() : same;
            if (rival != null) {
                violations.add(new Violation(Violation.Kind.TOKEN, List.of(rival, acquire)));
            }
        }
    }

    private static long token(Operation acquire) {
        return Objects.requireNonNull(acquire.token());
    }

    /** Compares each report of a loss with the next grant. The order of grants at the same time is not known. */
    private static void checkLosses(List<Hold> holds, List<Violation> violations) {
        Hold next = null;
        for (int i = holds.size() - 2; i >= 0; i--) {
            Hold hold = holds.get(i);
            next = holds.get(i + 1).granted() > hold.granted() ? holds.get(i + 1) : next;
            if (next != null && hold.isLostUnnoticed(next.granted())) {
                violations.add(
                        new Violation(Violation.Kind.LATE_LOSS, List.of(hold.acquire(), hold.last(), next.acquire())));
            }
        }
    }
}
