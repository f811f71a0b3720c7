package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Tests how long a lock is held if a re-entrant publisher runs on after the outer one. */
class ReentrantPublisherTest {

    @AutoClose
    private final Application application = Application.of(Shop.class);

    private final Shop shop = application.bean(Shop.class);

    /** The annotated methods of these tests. */
    static class Shop {

        @HoldfastLock("job")
        public <T> Mono<T> one(Supplier<Mono<T>> body) {
            return body.get();
        }

        /** Shares the lock with the method above. */
        @HoldfastLock("job")
        public Lease plain() {
            return CurrentLease.get();
        }

        @HoldfastLock("job")
        public <T> T blocking(Supplier<T> body) {
            return body.get();
        }
    }

    /** A cached publisher has the context of its first subscriber, and does not end with it. */
    @Test
    void end_innerPublisherRunsOn_keepsTheLockUntilItEnds() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<Boolean> validAtTheEnd = new CompletableFuture<>();
        CompletableFuture<String> outerEnded = new CompletableFuture<>();
        CompletableFuture<String> result = shop.<String>one(() -> Mono.deferContextual(context -> {
                            Lease lease = context.get(Lease.class);
                            shop.one(() -> Mono.fromFuture(body).map(done -> lease.isValid()))
                                    .contextWrite(context)
                                    .subscribe(validAtTheEnd::complete);
                            return Mono.just("done");
                        })
                        .map(String::valueOf)
                        .doFinally(end -> outerEnded.complete("ended")))
                .toFuture();
        outerEnded.join();

        body.complete("done");

        assertThat(validAtTheEnd.join()).isEqualTo(true);
        assertThat(result.join()).isEqualTo("done");
        application.holdElsewhere("job").close();
    }

    @Test
    void one_bodyCallsOrdinaryMethodWithTheSameLock_sharesItsLease() {
        Boolean isSame = shop.one(() -> Mono.just(shop.plain().equals(CurrentLease.get())))
                .block();

        assertThat(isSame).isTrue();
        application.holdElsewhere("job").close();
    }

    /** The method would wait for itself. */
    @Test
    void one_ordinaryMethodWithTheSameLockBlocks_sharesItsLease() {
        Boolean isSame = shop.blocking(() -> {
            Lease outer = CurrentLease.get();
            return shop.one(() -> Mono.deferContextual(context ->
                                    Mono.just(context.get(Lease.class).equals(outer)))
                            .publishOn(Schedulers.single())
                            .flatMap(isOuter -> shop.one(() -> Mono.just(isOuter))))
                    .block();
        });

        assertThat(isSame).isTrue();
        application.holdElsewhere("job").close();
    }

    @Test
    void one_bodyOfInnerPublisherCallsOrdinaryMethod_sharesTheLeaseOfTheOuterOne() {
        Boolean isSame = shop.one(() -> {
                    Lease outer = CurrentLease.get();
                    return shop.one(() -> Mono.just(shop.plain().equals(outer)));
                })
                .block();

        assertThat(isSame).isTrue();
        application.holdElsewhere("job").close();
    }
}
