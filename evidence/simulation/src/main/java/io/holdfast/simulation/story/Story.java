package io.holdfast.simulation.story;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as a sequence of pictures, in the form in which it is written as JSON.
 *
 * @param lock the name of the lock
 * @param leaseMillis the length of a lease
 * @param steps the pictures in their order
 */
public record Story(String lock, long leaseMillis, List<Step> steps) {

    /**
     * The world after a step, and the messages that led to it.
     *
     * @param atMillis the time since the world began
     * @param text one sentence for the reader
     * @param messages the messages of this step, without repetitions
     * @param clients all clients
     * @param nodes all nodes
     * @param resource what the guarded resource has seen
     */
    public record Step(
            double atMillis,
            String text,
            List<Message> messages,
            List<Client> clients,
            List<Node> nodes,
            Resource resource) {}

    /**
     * A request and its reply, a notification, or a write to the resource.
     *
     * @param from the name of the sender
     * @param to the name of the receiver
     * @param kind such as {@code acquire}, {@code release}, {@code notify} or {@code write}
     * @param reply such as {@code granted} or {@code refused}; null as long as the receiver has not processed it
     */
    public record Message(
            String from, String to, String kind, @Nullable String reply) {}

    /**
     * A client as its process sees itself.
     *
     * @param state {@code idle}, {@code waits}, {@code holds}, {@code lost} or {@code paused}
     * @param token the fencing token of its lease; null without one
     * @param leftMillis how long the client may rely on its lease; 0 without one
     * @param waiting the number of its threads that wait for the lock
     */
    public record Client(
            String name, String state, @Nullable Long token, long leftMillis, int waiting) {}

    /**
     * A node.
     *
     * @param state {@code votes}, {@code down} or {@code quarantine}
     * @param holder the client whose lock the node keeps; null without one
     * @param leftMillis how long the node keeps the lock unless it is extended; 0 without one
     * @param queue the clients in the wait queue, the first one first
     * @param reservedFor the client for which the free lock is reserved; null without one
     * @param floor the node rejects fencing tokens up to this one
     */
    public record Node(
            String name,
            String state,
            @Nullable String holder,
            long leftMillis,
            List<String> queue,
            @Nullable String reservedFor,
            long floor) {}

    /**
     * The resource that the lock guards.
     *
     * @param greatestToken the greatest fencing token that it has seen; 0 before the first write
     * @param rejected the number of writes that it has rejected
     */
    public record Resource(long greatestToken, long rejected) {}
}
