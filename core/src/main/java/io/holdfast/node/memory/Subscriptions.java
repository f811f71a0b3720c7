package io.holdfast.node.memory;

import io.holdfast.node.WakeUp;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The inboxes to which clients of an in-memory node are subscribed. Not thread-safe. */
final class Subscriptions {

    private final Consumer<Runnable> post;
    private final Map<String, Consumer<WakeUp>> subscribers = new HashMap<>();

    /**
     * Creates an object without subscriptions.
     *
     * @param post runs the delivery of a notification later
     */
    Subscriptions(Consumer<Runnable> post) {
        this.post = post;
    }

    void subscribe(String inbox, Consumer<WakeUp> consumer) {
        subscribers.put(inbox, consumer);
    }

    void unsubscribe(String inbox) {
        subscribers.remove(inbox);
    }

    boolean hasSubscriber(String inbox) {
        return subscribers.containsKey(inbox);
    }

    /** Sends a notification; returns {@code true} if the inbox has a subscriber. */
    boolean publish(String inbox, WakeUp wake) {
        Consumer<WakeUp> subscriber = subscribers.get(inbox);
        if (subscriber == null) {
            return false;
        }
        post.accept(() -> subscriber.accept(wake));
        return true;
    }
}
