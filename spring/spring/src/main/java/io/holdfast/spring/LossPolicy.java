package io.holdfast.spring;

/** The consequences if a lease is lost while its method runs. */
public enum LossPolicy {
    /**
     * The method continues. If it returns normally, the call throws {@code LeaseLostException}, also if the nodes
     * report the loss only at the release; an exception of the method goes first. A publisher is cancelled at once.
     */
    THROW,
    /**
     * The thread of the method is interrupted at the moment of the loss, and the call throws {@code LeaseLostException}
     * when the method has ended. Not for methods that return a future or a publisher.
     */
    INTERRUPT,
    /** The loss is logged, and the result of the method is returned. Not for methods that return a publisher. */
    LOG
}
