package io.holdfast.simulation.world;

import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Forwards each event of a run to its observers, in the order in which they were added. A run has hundreds of thousands
 * of messages, so the events of messages go only to observers that implement them.
 */
final class Broadcast {

    private final List<Observer> all = new ArrayList<>();
    private Observer[] ofAsked = {};
    private Observer[] ofSent = {};
    private Observer[] ofArrived = {};
    private Observer[] ofProcessed = {};
    private @Nullable SimulatedClient lastClient;
    private @Nullable Claim lastClaim;

    void add(Observer observer) {
        all.add(observer);
        ofAsked = withIf(ofAsked, observer, "asked");
        ofSent = withIf(ofSent, observer, "sent");
        ofArrived = withIf(ofArrived, observer, "arrived");
        ofProcessed = withIf(ofProcessed, observer, "processed");
    }

    private static Observer[] withIf(Observer[] audience, Observer observer, String event) {
        boolean implemented = Arrays.stream(observer.getClass().getMethods())
                .anyMatch(method -> method.getName().equals(event) && !method.isDefault());
        if (!implemented) {
            return audience;
        }
        Observer[] longer = Arrays.copyOf(audience, audience.length + 1);
        longer[audience.length] = observer;
        return longer;
    }

    void report(Consumer<Observer> event) {
        all.forEach(event);
    }

    @SuppressWarnings("ReferenceEquality") // Two extensions of one lease are equal, and two rounds all the same.
    void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
        if (claim != lastClaim || client != lastClient) {
            lastClaim = claim;
            lastClient = client;
            asked(client, claim);
        }
        for (Observer observer : ofSent) {
            observer.sent(client, node, claim);
        }
    }

    private void asked(SimulatedClient client, Claim claim) {
        for (Observer observer : ofAsked) {
            observer.asked(client, claim);
        }
    }

    void arrived(SimulatedNode node, Claim claim) {
        for (Observer observer : ofArrived) {
            observer.arrived(node, claim);
        }
    }

    void processed(SimulatedNode node, Claim claim, Reply reply) {
        for (Observer observer : ofProcessed) {
            observer.processed(node, claim, reply);
        }
    }

    void carriedOut(SimulatedNode node, Claim claim) {
        for (Observer observer : ofProcessed) {
            observer.carriedOut(node, claim);
        }
    }
}
