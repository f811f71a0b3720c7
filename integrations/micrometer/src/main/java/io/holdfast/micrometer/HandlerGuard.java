package io.holdfast.micrometer;

import java.util.function.Supplier;

/**
 * Calls meters and observations, whose handlers, filters and conventions belong to the application and may throw. Their
 * exceptions are logged, so that they leave no lock held and replace no result.
 */
final class HandlerGuard {

    private static final System.Logger LOG = System.getLogger(HoldfastObservations.class.getName());

    private HandlerGuard() {}

    static void run(Runnable call) {
        get("", () -> {
            call.run();
            return "";
        });
    }

    /** Returns the result of the call, or the other value if the call throws. */
    static <T> T get(T otherwise, Supplier<T> call) {
        try {
            return call.get();
        } catch (Throwable failure) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "A meter or an observation of a lock threw an exception, which has no effect on the lock and the "
                            + "work under it; correct the handler, the filter, the convention or the function of the"
                            + " groups that is registered",
                    failure);
            return otherwise;
        }
    }
}
