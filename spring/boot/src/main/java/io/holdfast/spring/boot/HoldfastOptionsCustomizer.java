package io.holdfast.spring.boot;

import io.holdfast.HoldfastOptionsBuilder;

/**
 * Changes the options of the client after the properties have been applied, such as the executor of callbacks. For
 * beans.
 */
@FunctionalInterface
public interface HoldfastOptionsCustomizer {

    /** Changes the options; called once, when the client is created. */
    void customize(HoldfastOptionsBuilder options);
}
