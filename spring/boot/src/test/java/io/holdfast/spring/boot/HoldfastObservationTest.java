package io.holdfast.spring.boot;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.micrometer.HoldfastObservations;
import io.holdfast.spring.HoldfastLock;
import io.holdfast.spring.LockFactory;
import io.holdfast.spring.LockObserver;
import io.holdfast.spring.RefusalPolicy;
import io.holdfast.spring.boot.metrics.HoldfastObservationAutoConfiguration;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** Tests the observations that an annotated method makes, with nodes in memory. */
class HoldfastObservationTest {

    private static final String ACQUIRED = "holdfast.acquire [lock=order, outcome=acquired] in request";
    private static final String HELD = "holdfast.hold [lock=order, outcome=released] in request";

    private final Stopped stopped = new Stopped();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HoldfastAutoConfiguration.class,
                    HoldfastObservationAutoConfiguration.class,
                    AopAutoConfiguration.class,
                    SslAutoConfiguration.class))
            .withBean(MemoryNodes.class, MemoryNodes::new)
            .withBean(Shop.class)
            .withPropertyValues("holdfast.nodes=redis://a:6379", "holdfast.prefix=shop:");
    private final ApplicationContextRunner observed = runner.withConfiguration(
                    AutoConfigurations.of(ObservationAutoConfiguration.class))
            .withBean(Stopped.class, () -> stopped);

    /** A bean with locks, whose work is observed as well. */
    static class Shop {

        @HoldfastLock("order:#{#id}")
        public void ship(String id, ObservationRegistry registry) {
            Observation.start("query", registry).stop();
        }

        @HoldfastLock("order:#{#id}")
        public Mono<String> shipLater(String id) {
            return Mono.just(id);
        }

        @HoldfastLock(value = "order:#{#id}", onHeld = RefusalPolicy.SKIP)
        public void shipOnce(String id) {}

        @HoldfastLock("#{#name}")
        public void lock(String name) {}
    }

    /** Records each observation that has ended, with its low-cardinality tags and its parent. */
    static class Stopped implements ObservationHandler<Observation.Context> {

        private final List<String> entries = new CopyOnWriteArrayList<>();
        private final List<String> locks = new CopyOnWriteArrayList<>();
        private final List<Throwable> errors = new CopyOnWriteArrayList<>();

        @Override
        public void onError(Observation.Context context) {
            errors.add(Objects.requireNonNull(context.getError()));
        }

        @Override
        public void onStop(Observation.Context context) {
            String tags = context.getLowCardinalityKeyValues().stream()
                    .map(tag -> tag.getKey() + "=" + tag.getValue())
                    .collect(Collectors.joining(", "));
            entries.add(name(context) + " [" + tags + "]" + parent(context));
            context.getLowCardinalityKeyValues().stream()
                    .filter(tag -> tag.getKey().equals("lock"))
                    .map(KeyValue::getValue)
                    .forEach(locks::add);
        }

        private static String parent(Observation.Context context) {
            var parent = context.getParentObservation();
            return parent == null ? "" : " in " + name(parent.getContextView());
        }

        /** Returns the name of the span, which is known at its end. */
        private static String name(Observation.ContextView context) {
            String name = context.getContextualName();
            return String.valueOf(name == null ? context.getName() : name);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    private static Observation request(ObservationRegistry registry) {
        return Observation.createNotStarted("request", registry).contextualName("request");
    }

    @Test
    void observe_annotatedMethod_isAWaitAndAHoldAroundItsWork() {
        observed.run(context -> {
            ObservationRegistry registry = context.getBean(ObservationRegistry.class);

            request(registry).observe(() -> context.getBean(Shop.class).ship("7", registry));

            assertThat(stopped.entries).containsExactly(ACQUIRED, "query [] in holdfast.lock.hold", HELD, "request []");
        });
    }

    @Test
    void observe_reactiveMethod_belongsToTheObservationOfTheSubscriber() {
        observed.run(context -> {
            Observation request =
                    request(context.getBean(ObservationRegistry.class)).start();

            context.getBean(Shop.class)
                    .shipLater("7")
                    .contextWrite(outer -> outer.put("micrometer.observation", request))
                    .block();

            // The hold ends with the release, which may follow the result.
            eventually("the hold has ended", () -> stopped.entries.contains(HELD));
            assertThat(stopped.entries).containsExactly(ACQUIRED, HELD);
        });
    }

    /** A handler that counts errors must not count the jobs that another machine runs. */
    @Test
    void observe_skippedMethod_isHeldWithoutAnError() {
        observed.run(context -> {
            try (Lease other =
                    context.getBean(LockFactory.class).lock("order:7").acquire()) {
                assertThat(other.isValid()).isTrue();
                context.getBean(Shop.class).shipOnce("7");
            }

            assertThat(stopped.entries).containsExactly("holdfast.acquire [lock=order, outcome=held]");
            assertThat(stopped.errors).isEmpty();
        });
    }

    /** A tag of low cardinality becomes a tag of a meter, and each value a time series. */
    @Test
    void observe_manyNames_haveFewTags() {
        observed.run(context -> {
            Shop shop = context.getBean(Shop.class);
            for (int i = 0; i < 150; i++) {
                shop.lock("group" + i + ":" + i);
            }

            assertThat(stopped.locks).hasSize(300).doesNotContain("group0:0").contains("group0", "other");
            assertThat(stopped.locks.stream().distinct()).hasSize(101);
        });
    }

    /** A scope that stays open would make the next work of this thread a part of this one. */
    @Test
    void observe_handlerThrows_hasNoEffectOnTheMethodAndItsThread() {
        observed.withBean(FailingScopes.class).run(context -> {
            ObservationRegistry registry = context.getBean(ObservationRegistry.class);

            context.getBean(Shop.class).ship("7", registry);

            assertThat(registry.getCurrentObservationScope()).isNull();
            assertThat(stopped.entries).hasSize(3);
        });
    }

    /** Throws when a scope is opened. */
    static class FailingScopes implements ObservationHandler<Observation.Context> {

        @Override
        public void onScopeOpened(Observation.Context context) {
            throw new IllegalStateException("of the handler");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void observe_withoutARegistry_isOff() {
        runner.run(context -> {
            context.getBean(Shop.class).lock("order:7");

            assertThat(context).doesNotHaveBean(LockObserver.class).doesNotHaveBean(HoldfastObservations.class);
        });
    }
}
