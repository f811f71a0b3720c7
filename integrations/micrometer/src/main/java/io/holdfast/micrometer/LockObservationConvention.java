package io.holdfast.micrometer;

import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;

/**
 * The names and tags of one phase of the observations of locks. An application that registers its own convention with
 * {@code registry.observationConfig().observationConvention(...)} replaces the names and tags that {@link
 * HoldfastObservations} lists.
 *
 * <p>Implementations are thread-safe.
 */
public interface LockObservationConvention extends GlobalObservationConvention<LockObservationContext> {

    /** Returns the phase whose observations have these names and tags. */
    LockObservationContext.Phase phase();

    /** Returns {@code true} for observations of the phase of this convention. */
    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext lock && lock.phase() == phase();
    }
}
