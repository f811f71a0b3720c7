package io.holdfast.scoreboard.witness;

import io.holdfast.scoreboard.witness.Event.Kind;
import io.holdfast.testkit.history.History;
import io.holdfast.testkit.history.HistoryChecker;
import io.holdfast.testkit.history.Operation;
import io.holdfast.testkit.history.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A history as the operations that {@link HistoryChecker} judges. The witness sees each of them at one instant. */
final class Operations {

    private Operations() {}

    /** Returns the kinds of violations that the checker finds. */
    static Set<Violation.Kind> violations(Collection<Event> history) {
        List<Operation> operations = new ArrayList<>();
        Map<Integer, Long> asked = new HashMap<>();
        for (Event event : history) {
            switch (event.kind()) {
                case ASKED -> asked.put(event.client(), event.atNanos());
                case GOT ->
                    operations.add(operation(
                            event, Operation.Kind.ACQUIRE, asked.getOrDefault(event.client(), event.atNanos())));
                case READ -> operations.add(operation(event, Operation.Kind.READ, event.atNanos()));
                case WROTE -> operations.add(operation(event, Operation.Kind.WRITE, event.atNanos()));
                case LOST -> operations.add(operation(event, Operation.Kind.LOSS, event.atNanos()));
                case RELEASED -> operations.add(operation(event, Operation.Kind.RELEASE, event.atNanos()));
                default -> {}
            }
        }
        Set<Violation.Kind> kinds = EnumSet.noneOf(Violation.Kind.class);
        HistoryChecker.check(new History(operations)).forEach(violation -> kinds.add(violation.kind()));
        return kinds;
    }

    private static Operation operation(Event event, Operation.Kind kind, long begun) {
        return new Operation(
                "client " + event.client(),
                kind,
                begun,
                event.atNanos(),
                event.kind() == Kind.GOT ? present(event.token()) : null,
                present(event.value()));
    }

    private static @Nullable Long present(long number) {
        return number == Event.NONE ? null : Long.valueOf(number);
    }
}
