package io.holdfast.simulation.world;

import io.holdfast.lease.Loss;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.record.LockRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Forwards each event of a run to its observers, in the order in which they were added. A run has hundreds of thousands
 * of messages, so the events of messages go only to observers that implement them.
 */
final class Broadcast implements Observer {

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

    private void forward(Consumer<Observer> event) {
        all.forEach(event);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // Two extensions of one lease are equal, and two rounds all the same.
    public void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
        if (claim != lastClaim || client != lastClient) {
            lastClaim = claim;
            lastClient = client;
            asked(client, claim);
        }
        for (Observer observer : ofSent) {
            observer.sent(client, node, claim);
        }
    }

    @Override
    public void asked(SimulatedClient client, Claim claim) {
        for (Observer observer : ofAsked) {
            observer.asked(client, claim);
        }
    }

    @Override
    public void arrived(SimulatedNode node, Claim claim) {
        for (Observer observer : ofArrived) {
            observer.arrived(node, claim);
        }
    }

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        for (Observer observer : ofProcessed) {
            observer.processed(node, claim, reply);
        }
    }

    @Override
    public void carriedOut(SimulatedNode node, Claim claim) {
        for (Observer observer : ofProcessed) {
            observer.carriedOut(node, claim);
        }
    }

    @Override
    public void notified(SimulatedNode node, SimulatedClient client, WakeUp wakeUp) {
        forward(observer -> observer.notified(node, client, wakeUp));
    }

    @Override
    public void granted(ObservedLease holding) {
        forward(observer -> observer.granted(holding));
    }

    @Override
    public void resumed(ObservedLease holding) {
        forward(observer -> observer.resumed(holding));
    }

    @Override
    public void detached(ObservedLease holding) {
        forward(observer -> observer.detached(holding));
    }

    @Override
    public void retaining(ObservedLease holding, Duration keep) {
        forward(observer -> observer.retaining(holding, keep));
    }

    @Override
    public void retained(ObservedLease holding) {
        forward(observer -> observer.retained(holding));
    }

    @Override
    public void released(ObservedLease holding) {
        forward(observer -> observer.released(holding));
    }

    @Override
    public void relied(ObservedLease holding) {
        forward(observer -> observer.relied(holding));
    }

    @Override
    public void wrote(ObservedLease holding, boolean accepted) {
        forward(observer -> observer.wrote(holding, accepted));
    }

    @Override
    public void lost(ObservedLease holding, Loss loss) {
        forward(observer -> observer.lost(holding, loss));
    }

    @Override
    public void releasing(ObservedLease holding) {
        forward(observer -> observer.releasing(holding));
    }

    @Override
    public void readingRecord(ObservedLease holding) {
        forward(observer -> observer.readingRecord(holding));
    }

    @Override
    public void recordRead(ObservedLease holding, LockRecord read) {
        forward(observer -> observer.recordRead(holding, read));
    }

    @Override
    public void recordWritten(ObservedLease holding) {
        forward(observer -> observer.recordWritten(holding));
    }

    @Override
    public void struck(Fault fault) {
        forward(observer -> observer.struck(fault));
    }

    @Override
    public void deleted(SimulatedNode node, String resource) {
        forward(observer -> observer.deleted(node, resource));
    }

    @Override
    public void healed() {
        forward(Observer::healed);
    }

    @Override
    public void calm() {
        forward(Observer::calm);
    }

    @Override
    public void ended() {
        forward(Observer::ended);
    }
}
