package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks whose observations have a handler that throws, on a node in memory. */
class FailingHandlerTest {

    private final SystemTime time = new SystemTime();
    private final InMemoryNode node = new InMemoryNode("a", time);
    private final Holdfast holdfast = Holdfast.forTesting(List.of(node), time, new Random(1));
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final HoldfastObservations observations = new HoldfastObservations(registry);

    /** The moments of an observation at which the application can throw. */
    enum Moment {
        PREDICATE,
        START,
        SCOPE_OPENED,
        ERROR,
        SCOPE_CLOSED,
        FILTER,
        STOP
    }

    private void failAt(Moment moment) {
        registry.observationConfig().observationHandler(new FailingHandler(moment));
        registry.observationConfig().observationPredicate((name, context) -> {
            fail(moment, Moment.PREDICATE);
            return true;
        });
        registry.observationConfig().observationFilter(context -> {
            fail(moment, Moment.FILTER);
            return context;
        });
    }

    private static void fail(Moment chosen, Moment present) {
        if (chosen == present) {
            throw new IllegalStateException("of the handler");
        }
    }

    private record FailingHandler(Moment moment) implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            fail(moment, Moment.START);
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            fail(moment, Moment.SCOPE_OPENED);
        }

        @Override
        public void onError(Observation.Context context) {
            fail(moment, Moment.ERROR);
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            fail(moment, Moment.SCOPE_CLOSED);
        }

        @Override
        public void onStop(Observation.Context context) {
            fail(moment, Moment.STOP);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @AfterEach
    void close() {
        holdfast.close();
        time.close();
    }

    @ParameterizedTest
    @EnumSource
    void call_handlerThrows_returnsTheResultAndReleases(Moment moment) throws Exception {
        failAt(moment);

        assertThat(observations.<String, RuntimeException>call(holdfast.lock("job"), lease -> "done"))
                .isEqualTo("done");
        assertThat(node.ownerOf("job")).isNull();
        assertThat(registry.getCurrentObservationScope()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void call_bodyAndHandlerThrow_keepsTheExceptionOfTheBody(Moment moment) {
        failAt(moment);

        assertThatThrownBy(() -> observations.run(holdfast.lock("job"), lease -> {
                    throw new IOException("of the body");
                }))
                .isInstanceOf(IOException.class);
        assertThat(node.ownerOf("job")).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void call_refusedAndHandlerThrows_isTheRefusal(Moment moment) throws Exception {
        failAt(moment);
        holdfast.lock("job").acquire();

        assertThatThrownBy(() -> observations.run(holdfast.lock("job", Scene.ONCE), lease -> {}))
                .isInstanceOf(LockTimeoutException.class);
    }
}
