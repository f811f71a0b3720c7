package io.holdfast.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.spring.Application;
import io.holdfast.spring.CurrentLease;
import io.holdfast.spring.HoldfastLock;
import io.holdfast.spring.HoldfastLockAdvisor;
import io.holdfast.spring.LockFactory;
import io.holdfast.spring.proxy.MethodRejectedException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import reactor.core.publisher.Mono;

/** Tests leaders in an application, on a node in memory. */
class LeaderLifecycleTest {

    @Configuration(proxyBeanMethods = false)
    static class Roles {
        @Bean
        LeaderLifecycle reports(LockFactory locks, ApplicationEventPublisher publisher) {
            return new LeaderLifecycle("reports", locks, publisher);
        }
    }

    /** Records the events, and has a method for the leader. */
    static class Reports {

        final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

        @EventListener
        public void granted(LeadershipGrantedEvent event) {
            events.add(event);
        }

        @EventListener
        public void revoked(LeadershipRevokedEvent event) {
            events.add(event);
        }

        @OnlyLeader("reports")
        public @Nullable Lease collect() {
            return CurrentLease.get();
        }

        public BlockingQueue<Object> events() {
            return events;
        }
    }

    private static Object next(Reports reports) throws InterruptedException {
        return reports.events().take();
    }

    @Test
    void onlyLeader_leads_runsUnderTheLeaseOfTheTerm() throws InterruptedException {
        try (Application application = Application.of(Roles.class, Reports.class)) {
            Reports reports = application.bean(Reports.class);

            LeadershipGrantedEvent granted = (LeadershipGrantedEvent) next(reports);

            assertThat(reports.collect()).isEqualTo(granted.lease());
            assertThat(application.isHeld("leader:reports")).isTrue();
        }
    }

    @Test
    void onlyLeader_doesNotLead_skips() throws InterruptedException {
        try (Application application = Application.of(Roles.class, Reports.class)) {
            Reports reports = application.bean(Reports.class);
            next(reports);
            application.bean(LeaderLifecycle.class).stop();

            assertThat(reports.collect()).isNull();
        }
    }

    /** Has the annotation for a method that a superclass supplies. */
    interface Declared {
        @OnlyLeader("reports")
        @Nullable
        String work();
    }

    /** Supplies the method of an interface that it does not implement. */
    static class Supplier {
        public String work() {
            return "done";
        }
    }

    static class Supplied extends Supplier implements Declared {}

    @Test
    void onlyLeader_interfaceOfSubclassHasTheAnnotation_skips() {
        try (Application application = Application.of(Roles.class, Supplied.class)) {
            application.bean(LeaderLifecycle.class).stop();

            assertThat(application.bean(Declared.class).work()).isNull();
        }
    }

    /** Defines a second candidate of the role. */
    @Configuration(proxyBeanMethods = false)
    static class OtherCandidate {
        @Bean
        LeaderLifecycle other(LockFactory locks, ApplicationEventPublisher publisher) {
            return new LeaderLifecycle("reports", locks, publisher);
        }
    }

    @Test
    void onlyLeader_secondCandidateOfTheProcessLeads_runs() throws InterruptedException {
        try (Application application = Application.of(OtherCandidate.class, Roles.class, Reports.class)) {
            Reports reports = application.bean(Reports.class);
            LeaderLifecycle second = application.bean("reports", LeaderLifecycle.class);
            application.bean("other", LeaderLifecycle.class).stop();
            while (!second.isLeader()) {
                next(reports);
            }

            assertThat(reports.collect()).isNotNull();
        }
    }

    @Test
    void stop_leader_publishesTheEndAndReleases() throws InterruptedException {
        try (Application application = Application.of(Roles.class, Reports.class)) {
            Reports reports = application.bean(Reports.class);
            next(reports);

            application.bean(LeaderLifecycle.class).stop();

            assertThat(next(reports)).isEqualTo(new LeadershipRevokedEvent("reports", null));
            try (Lease next = application.holdElsewhere("leader:reports")) {
                assertThat(next.isValid()).isTrue();
            }
        }
    }

    @Test
    void resign_leader_publishesTheEndAndTheNextTerm() throws InterruptedException {
        try (Application application = Application.of(Roles.class, Reports.class)) {
            Reports reports = application.bean(Reports.class);
            next(reports);

            application.bean(LeaderLifecycle.class).resign();

            assertThat(next(reports)).isEqualTo(new LeadershipRevokedEvent("reports", null));
            assertThat(next(reports)).isInstanceOf(LeadershipGrantedEvent.class);
        }
    }

    static class PublishingLeader {
        @OnlyLeader("reports")
        public Mono<String> method() {
            return Mono.empty();
        }
    }

    static class FutureLeader {
        @OnlyLeader("reports")
        public @Nullable Future<String> method() {
            return null;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {PublishingLeader.class, FutureLeader.class})
    void start_resultThatFollowsTheCall_isRejected(Class<?> bean) {
        assertThatThrownBy(() -> Application.of(Roles.class, bean))
                .rootCause()
                .isInstanceOf(MethodRejectedException.class)
                .hasMessageContaining(bean.getSimpleName() + ".method")
                .hasMessageContaining("is produced after it has returned")
                .hasMessageEndingWith("return void, a value or a CompletableFuture");
    }

    /** Calls through this interface do not show the result of the bean. */
    interface Work<T> {
        @Nullable
        T run();
    }

    static class OptionalWork implements Work<Optional<String>> {
        @Override
        @OnlyLeader("reports")
        public Optional<String> run() {
            return Optional.of("ran");
        }
    }

    @Test
    void onlyLeader_calledThroughGenericInterface_skipsWithTheResultOfTheBean() {
        try (Application application = Application.of(Roles.class, OptionalWork.class)) {
            application.bean(LeaderLifecycle.class).stop();

            assertThat(application.bean(Work.class).run()).isEqualTo(Optional.empty());
        }
    }

    static class LockedReports {
        @OnlyLeader("reports")
        @HoldfastLock("report")
        public @Nullable String collect() {
            return "ran";
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {HoldfastLockAdvisor.DEFAULT_ORDER, 0, Ordered.HIGHEST_PRECEDENCE})
    void onlyLeader_doesNotLead_skipsBeforeTheLockIsAcquired(int order) {
        try (Application application =
                        Application.withProperty("holdfast.annotation.order", order, Roles.class, LockedReports.class);
                Lease other = application.holdElsewhere("report")) {
            application.bean(LeaderLifecycle.class).stop();

            assertThat(application.bean(LockedReports.class).collect()).isNull();
            assertThat(other.isValid()).isTrue();
        }
    }

    /** Waits for a thread that uses the lifecycle, as a listener that reports the state of the application may. */
    static class Waiting {

        private final LeaderLifecycle lifecycle;

        Waiting(LeaderLifecycle lifecycle) {
            this.lifecycle = lifecycle;
        }

        @EventListener
        public void revoked(LeadershipRevokedEvent event) throws InterruptedException {
            Thread other = new Thread(lifecycle::stop);
            other.start();
            other.join();
        }
    }

    @Test
    void stop_listenerWaitsForAnotherThreadThatStops_returns() throws InterruptedException {
        try (Application application = Application.of(Roles.class, Reports.class, Waiting.class)) {
            Reports reports = application.bean(Reports.class);
            next(reports);

            application.bean(LeaderLifecycle.class).stop();

            assertThat(next(reports)).isInstanceOf(LeadershipRevokedEvent.class);
        }
    }
}
