package io.holdfast;

import io.holdfast.event.Quarantine;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Tells listeners and the log of quarantines; nodes that begin theirs together in one sentence. */
final class QuarantineNews {

    private static final Duration TOGETHER = Duration.ofMillis(100);

    private final Time time;
    private final List<Consumer<Quarantine>> listeners = new CopyOnWriteArrayList<>();
    private final List<Quarantine> begun = new ArrayList<>();

    QuarantineNews(Time time) {
        this.time = time;
    }

    void add(Consumer<Quarantine> listener) {
        listeners.add(listener);
    }

    /** Called on a thread that must not be blocked. */
    void tell(Quarantine news) {
        listeners.forEach(listener -> time.execute(() -> listener.accept(news)));
        if (news.isOver()) {
            time.execute(() -> Log.get().log(System.Logger.Level.INFO, news.toString()));
            return;
        }
        synchronized (begun) {
            begun.add(news);
            if (begun.size() == 1) {
                time.schedule(TOGETHER, this::logBegun);
            }
        }
    }

    private void logBegun() {
        List<Quarantine> all;
        synchronized (begun) {
            all = List.copyOf(begun);
            begun.clear();
        }
        time.execute(() -> Log.get().log(System.Logger.Level.WARNING, sentence(all)));
    }

    static String sentence(List<Quarantine> all) {
        String names = all.stream().map(Quarantine::node).sorted().collect(Collectors.joining(", "));
        Duration longest = all.stream()
                .map(Quarantine::timeLeft)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return names + (all.size() == 1 ? " was" : " were")
                + " restarted, or never used before, and may have forgotten who holds a lock: no vote for "
                + (longest.toMillis() + 999) / 1_000
                + " s; `holdfast adopt` ends the wait for servers that never held a lock";
    }
}
