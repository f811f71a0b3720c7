package io.holdfast.micrometer;

import io.micrometer.common.KeyValues;
import java.util.Locale;

/** The names and tags that {@link HoldfastObservations} lists. */
record DefaultLockObservationConvention(LockObservationContext.Phase phase) implements LockObservationConvention {

    /**
     * Differs from the name of the span: {@code holdfast.acquire} is a meter of {@link HoldfastMetrics} with other
     * tags.
     */
    @Override
    public String getName() {
        return "holdfast.lock." + phase.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String getContextualName(LockObservationContext context) {
        return "holdfast." + phase.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
        return KeyValues.of("lock", context.group(), "outcome", context.outcome());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
        KeyValues resource = KeyValues.of("holdfast.resource", context.resource());
        return context.lease()
                .map(lease ->
                        resource.and("holdfast.fence", lease.fencingToken().toString()))
                .orElse(resource);
    }
}
