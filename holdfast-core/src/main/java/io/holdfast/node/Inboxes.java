package io.holdfast.node;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Where the clients of an in-memory node are told something. */
final class Inboxes {

    private final Consumer<Runnable> post;
    private final Map<String, Consumer<Wake>> listeners = new HashMap<>();

    /**
     * Nobody listens.
     *
     * @param post carries a message to whoever listens, later
     */
    Inboxes(Consumer<Runnable> post) {
        this.post = post;
    }

    void listen(String inbox, Consumer<Wake> consumer) {
        listeners.put(inbox, consumer);
    }

    void unlisten(String inbox) {
        listeners.remove(inbox);
    }

    boolean isHeard(String inbox) {
        return listeners.containsKey(inbox);
    }

    /** Returns whether anybody hears it. */
    boolean tell(String inbox, Wake wake) {
        Consumer<Wake> listener = listeners.get(inbox);
        if (listener == null) {
            return false;
        }
        post.accept(() -> listener.accept(wake));
        return true;
    }
}
