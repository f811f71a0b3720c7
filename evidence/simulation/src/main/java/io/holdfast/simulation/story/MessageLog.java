package io.holdfast.simulation.story;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages since the last step. A repeated message replaces the one before it. */
final class MessageLog implements Observer {

    static final String RESOURCE = "resource";

    private final Map<String, Story.Message> messages = new LinkedHashMap<>();
    private final Map<Owner, String> clients = new HashMap<>();

    @Override
    public void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
        clients.put(claim.owner(), client.name());
        add(client.name(), node.name(), kind(claim), null);
    }

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        add(clientOf(claim.owner()), node.name(), kind(claim), answer(reply));
    }

    @Override
    public void carriedOut(SimulatedNode node, Claim claim) {
        // The claim was sent before; the notification is what the picture shows.
    }

    @Override
    public void notified(SimulatedNode node, SimulatedClient client, WakeUp wakeUp) {
        if (!wakeUp.ownerMark().isEmpty()) {
            add(node.name(), client.name(), "grant", "received");
        } else if (wakeUp.isReserved()) {
            add(node.name(), client.name(), "notify", "received");
        }
    }

    @Override
    public void wrote(ObservedLease holding, boolean accepted) {
        add(holding.client().name(), RESOURCE, "write", accepted ? "accepted" : "rejected");
    }

    private void add(String from, String to, String kind, @Nullable String reply) {
        String key = from + " " + to + " " + kind;
        messages.remove(key);
        messages.put(key, new Story.Message(from, to, kind, reply));
    }

    private static String kind(Claim claim) {
        return switch (claim.action()) {
            case ACQUIRE -> "acquire";
            case EXTEND -> "extend";
            case QUERY -> "query";
            case REPAIR -> "repair";
            case RELEASE -> claim.servesNext() ? "release" : "withdraw";
            case RETAIN -> "retain";
        };
    }

    private static String answer(Reply reply) {
        return reply.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Returns the client that has sent the claims of this owner. */
    String clientOf(Owner owner) {
        return clients.getOrDefault(owner, "");
    }

    /** Returns whether this client has a reply to such a request from this many nodes. */
    boolean hasReplies(String client, String kind, int nodes) {
        return messages.values().stream()
                        .filter(message ->
                                message.from().equals(client) && message.kind().equals(kind) && message.reply() != null)
                        .count()
                >= nodes;
    }

    /** Returns whether this node has given that reply to such a request of the client. */
    boolean hasReply(String client, String node, String kind, String reply) {
        return messages.containsValue(new Story.Message(client, node, kind, reply));
    }

    /** Forgets all messages but these requests of the client: the others would distract the reader. */
    void keep(Actor client, String... kinds) {
        messages.values()
                .removeIf(message ->
                        !message.from().equals(client.name()) || !List.of(kinds).contains(message.kind()));
    }

    /** Forgets the messages that have arrived, at the end of a step. */
    void clearArrived() {
        messages.values().removeIf(message -> message.reply() != null);
    }

    void clear() {
        messages.clear();
    }

    List<Story.Message> messages() {
        return List.copyOf(messages.values());
    }
}
