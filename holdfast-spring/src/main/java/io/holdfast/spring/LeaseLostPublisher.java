package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.event.LockEvent;
import io.holdfast.event.Registration;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes a {@link LeaseLostEvent} for each lease that a client loses, until it is destroyed. Thread-safe. */
public final class LeaseLostPublisher implements DisposableBean {

    private final ApplicationEventPublisher publisher;
    private final Registration registration;

    /** Begins to publish the losses of this client. */
    public LeaseLostPublisher(Holdfast holdfast, ApplicationEventPublisher publisher) {
        this.publisher = publisher;
        this.registration = holdfast.onEvent(this::publish);
    }

    private void publish(LockEvent event) {
        if (event instanceof LockEvent.Ended ended && ended.how() == LockEvent.Ended.How.LOST && ended.loss() != null) {
            publisher.publishEvent(
                    new LeaseLostEvent(ended.resource(), ended.fencingToken(), ended.loss(), ended.heldFor()));
        }
    }

    @Override
    public void destroy() {
        registration.close();
    }
}
