package io.holdfast.testkit.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Decides whether steps can be ordered so that each takes effect at an instant between its begin and its end. This is
 * the search of Wing and Gong with two improvements of Lowe: a step takes effect only when it or another step has to
 * end (just in time), and no configuration is visited twice.
 */
final class Linearization {

    /** The end of a step, and the steps that are under way then. */
    private record Deadline(int step, List<Integer> underWay) {}

    /** The next deadline, the value of the register, and the steps that have taken effect before their deadline. */
    private record Configuration(int deadline, long value, Set<Integer> early) {}

    private final List<Step> steps;
    private final List<Deadline> deadlines = new ArrayList<>();
    private final Set<Configuration> visited = new HashSet<>();
    private final Deque<Configuration> next = new ArrayDeque<>();

    private Linearization(List<Step> steps) {
        this.steps = steps;
        List<Integer> begins = sorted(Comparator.comparingLong(i -> steps.get(i).begun()));
        List<Integer> ends = sorted(Comparator.comparingLong(i -> steps.get(i).ended()));
        Set<Integer> underWay = new LinkedHashSet<>();
        int begun = 0;
        for (int step : ends) {
            if (steps.get(step).isPending()) {
                break;
            }
            for (;
                    begun < begins.size()
                            && steps.get(begins.get(begun)).begun()
                                    <= steps.get(step).ended();
                    begun++) {
                underWay.add(begins.get(begun));
            }
            deadlines.add(new Deadline(step, List.copyOf(underWay)));
            underWay.remove(step);
        }
    }

    private List<Integer> sorted(Comparator<Integer> order) {
        return IntStream.range(0, steps.size()).boxed().sorted(order).toList();
    }

    /** Returns the time at which no order is left, if there is none for all steps. */
    static OptionalLong failure(List<Step> steps) {
        return new Linearization(withoutUnread(steps)).search();
    }

    private OptionalLong search() {
        int furthest = 0;
        visit(new Configuration(0, 0, Set.of()));
        while (true) {
            Configuration current = next.poll();
            if (current == null) {
                return OptionalLong.of(steps.get(deadlines.get(furthest).step()).ended());
            }
            if (current.deadline() == deadlines.size()) {
                return OptionalLong.empty();
            }
            furthest = Math.max(furthest, current.deadline());
            visitSuccessors(current, deadlines.get(current.deadline()));
        }
    }

    private void visitSuccessors(Configuration current, Deadline deadline) {
        int following = current.deadline() + 1;
        if (current.early().contains(deadline.step())) {
            visit(new Configuration(following, current.value(), without(current.early(), deadline.step())));
            return;
        }
        for (int step : deadline.underWay()) {
            Long value = current.early().contains(step) ? null : steps.get(step).apply(current.value());
            if (value != null && step != deadline.step()) {
                visit(new Configuration(current.deadline(), value, with(current.early(), step)));
            }
        }
        Long value = steps.get(deadline.step()).apply(current.value());
        if (value != null) {
            visit(new Configuration(following, value, current.early()));
        }
    }

    /** The last one that was added is visited first: the step at its deadline, without others before it. */
    private void visit(Configuration configuration) {
        if (visited.add(configuration)) {
            next.push(configuration);
        }
    }

    private static Set<Integer> with(Set<Integer> steps, int step) {
        Set<Integer> more = new HashSet<>(steps);
        more.add(step);
        return more;
    }

    private static Set<Integer> without(Set<Integer> steps, int step) {
        Set<Integer> fewer = new HashSet<>(steps);
        fewer.remove(step);
        return fewer;
    }

    /** Leaves out pending steps whose values were never read: where there is an order, there is one without. */
    private static List<Step> withoutUnread(List<Step> steps) {
        return steps.stream()
                .filter(step -> !step.isPending() || steps.stream().anyMatch(other -> other.readsAnyOf(step.written())))
                .toList();
    }
}
