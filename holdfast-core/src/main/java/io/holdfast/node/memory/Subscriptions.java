package io.holdfast.node.memory;

import io.holdfast.node.WakeUp;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Where the clients of an in-memory node are told something. */
final class Subscriptions {

    private final Consumer<Runnable> post;
    private final Map<String, Consumer<WakeUp>> listeners = new HashMap<>();

    /**
     * Nobody listens.
     *
     * @param post carries a message to whoever listens, later
     */
    Subscriptions(Consumer<Runnable> post) {
        this.post = post;
    }

    void listen(String inbox, Consumer<WakeUp> consumer) {
        listeners.put(inbox, consumer);
    }

    void unlisten(String inbox) {
        listeners.remove(inbox);
    }

    boolean isHeard(String inbox) {
        return listeners.containsKey(inbox);
    }

    /** Returns whether anybody hears it. */
    boolean tell(String inbox, WakeUp wake) {
        Consumer<WakeUp> listener = listeners.get(inbox);
        if (listener == null) {
            return false;
        }
        post.accept(() -> listener.accept(wake));
        return true;
    }
}
