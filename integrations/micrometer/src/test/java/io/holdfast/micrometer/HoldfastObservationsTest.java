package io.holdfast.micrometer;

import static io.holdfast.micrometer.Scene.ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.Holdfast;
import io.holdfast.LeaseLostException;
import io.holdfast.LockTimeoutException;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Observations of blocking calls, on a node in memory and in real time; no test waits. */
class HoldfastObservationsTest {

    private final SystemTime time = new SystemTime();
    private final InMemoryNode node = new InMemoryNode("a", time);
    private final Holdfast holdfast = Holdfast.forTesting(List.of(node), time, new Random(1));
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final HoldfastObservations observations = new HoldfastObservations(registry);
    private final List<String> stopped = new ArrayList<>();

    HoldfastObservationsTest() {
        registry.observationConfig().observationHandler(new Recorder());
    }

    /** Writes what a tracer would see: name, tags, error and parent. */
    private final class Recorder implements ObservationHandler<Observation.Context> {

        @Override
        public void onStop(Observation.Context context) {
            String tags = context.getAllKeyValues().stream()
                    .filter(tag -> !tag.getKey().equals("holdfast.fence"))
                    .map(KeyValue::getValue)
                    .collect(Collectors.joining(" "));
            Throwable error = context.getError();
            stopped.add(context.getContextualName() + " " + tags
                    + (error == null ? "" : " " + error.getClass().getSimpleName())
                    + (context.getParentObservation() == null
                            ? ""
                            : " in "
                                    + context.getParentObservation()
                                            .getContextView()
                                            .getName()));
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

    @Test
    void call_granted_observesBothPhasesInsideTheCaller() throws Exception {
        Observation request = Observation.start("http", registry);
        String result;
        try (Observation.Scope scope = request.openScope()) {
            assertThat(scope).isNotNull();
            result = observations.call(holdfast.lock("order:42"), lease -> {
                Observation.createNotStarted("jdbc", registry).observe(() -> {});
                return "done";
            });
        }

        assertThat(result).isEqualTo("done");
        assertThat(stopped)
                .containsExactly(
                        "holdfast.acquire order:42 order acquired in http",
                        "null  in holdfast.lock.hold",
                        "holdfast.hold order:42 order released in http");
    }

    @Test
    void call_granted_hasTheFencingToken() throws Exception {
        List<String> fences = new ArrayList<>();
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                KeyValue fence = context.getHighCardinalityKeyValue("holdfast.fence");
                fences.add(fence == null ? "none" : fence.getValue());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });

        String token = observations.call(
                holdfast.lock("order:42"), lease -> lease.fencingToken().toString());

        assertThat(fences).containsExactly(token, token);
    }

    @Test
    void call_lockIsHeld_isAnErrorOfTheWait() throws Exception {
        holdfast.lock("order:42").acquire();

        assertThatThrownBy(() -> observations.run(holdfast.lock("order:42", ONCE), lease -> {}))
                .isInstanceOf(LockTimeoutException.class);

        assertThat(stopped).containsExactly("holdfast.acquire order:42 order held LockTimeoutException");
    }

    @Test
    void waiting_refusedByAHolder_isAnOutcomeAndNoError() throws Exception {
        holdfast.lock("order:42").acquire();
        HoldfastObservations.Waiting waiting = observations.waiting(holdfast.lock("order:42", ONCE), null);

        LockTimeoutException refusal = catchThrowableOfType(
                LockTimeoutException.class,
                () -> holdfast.lock("order:42", ONCE).acquire());
        waiting.refused(refusal);
        waiting.failed(refusal);

        assertThat(stopped).containsExactly("holdfast.acquire order:42 order held");
    }

    @Test
    void call_bodyThrows_isAnErrorOfTheHold() {
        assertThatThrownBy(() -> observations.run(holdfast.lock("order:42"), lease -> {
                    throw new IOException("no disk");
                }))
                .isInstanceOf(IOException.class);

        assertThat(stopped)
                .containsExactly(
                        "holdfast.acquire order:42 order acquired",
                        "holdfast.hold order:42 order released IOException");
        assertThat(node.ownerOf("order:42")).isNull();
    }

    @Test
    void call_leaseLost_isTheOutcomeOfTheHold() {
        assertThatThrownBy(() -> observations.run(holdfast.lock("order:42"), lease -> lease.limit(Duration.ZERO)))
                .isInstanceOf(LeaseLostException.class);

        assertThat(stopped).last().isEqualTo("holdfast.hold order:42 order lost");
    }

    @Test
    void convention_ofTheApplication_replacesTheTags() throws Exception {
        registry.observationConfig().observationConvention(new LockObservationConvention() {
            @Override
            public LockObservationContext.Phase phase() {
                return LockObservationContext.Phase.ACQUIRE;
            }

            @Override
            public String getName() {
                return "own";
            }

            @Override
            public String getContextualName(LockObservationContext context) {
                return "own name";
            }

            @Override
            public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
                return KeyValues.of("shared", Boolean.toString(context.isShared()));
            }
        });

        observations.run(holdfast.lock("order:42").shared(), lease -> {});

        assertThat(stopped).first().isEqualTo("own name true");
    }

    /** A meter has one set of tags in Prometheus, so two sources of one name would lose one of them. */
    @Test
    void meters_besideThoseOfEvents_loseNothing() throws Exception {
        Scene scene = new Scene();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(scene.registry));
        observations.run(holdfast.lock("order:42"), lease -> {});
        scene.runThroughEverything();

        assertThat(scene.registry.getMeters())
                .extracting(Meter::getId)
                .extracting(Meter.Id::getName)
                .contains("holdfast.acquire", "holdfast.lock.acquire", "holdfast.lock.hold");
        assertThat(scene.registry.scrape())
                .contains("holdfast_acquire_seconds_count{lock=", "holdfast_lock_acquire_seconds_count{error=");
    }
}
