package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.event.LockEvent;
import io.holdfast.event.Registration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;

/** Publishes a {@link LeaseLostEvent} for each lease that a client loses, until it is destroyed. Thread-safe. */
public final class LeaseLostPublisher implements DisposableBean {

    private final Holdfast holdfast;
    private final ApplicationEventPublisher publisher;
    private final Registration registration;

    /** Begins to publish the losses of this client. */
    public LeaseLostPublisher(Holdfast holdfast, ApplicationEventPublisher publisher) {
        this.holdfast = holdfast;
        this.publisher = publisher;
        this.registration = holdfast.onEvent(this::publish);
    }

    /**
     * Begins to publish the losses of this client in a context. If the parent of the context publishes them already,
     * only the listeners of the context itself receive these events, since Spring passes those of a context on to its
     * parent.
     */
    public static LeaseLostPublisher in(ApplicationContext context, Holdfast holdfast) {
        return new LeaseLostPublisher(holdfast, isPublished(context.getParent(), holdfast) ? local(context) : context);
    }

    private static boolean isPublished(@Nullable ApplicationContext parent, Holdfast holdfast) {
        return parent != null
                && parent.getBeanProvider(LeaseLostPublisher.class).stream()
                        .anyMatch(publisher -> publisher.holdfast == holdfast);
    }

    private static ApplicationEventPublisher local(ApplicationContext context) {
        return event -> context.getBean(
                        AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
                        ApplicationEventMulticaster.class)
                .multicastEvent(new PayloadApplicationEvent<>(context, event));
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
