package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.lease.FencingToken;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.annotation.Transactional;

/** Tests when the lock of a method is released that takes part in a transaction. */
class TransactionTest {

    @AutoClose
    private final Application application = Application.of(Stock.class);

    private final Stock stock = application.bean(Stock.class);

    /** Methods with locks, with and without transactions of their own. */
    static class Stock {

        @HoldfastLock("stock")
        @Transactional
        public void takeInTransaction() {}

        @HoldfastLock("stock")
        public FencingToken take() {
            return CurrentLease.get().fencingToken();
        }

        @HoldfastLock("stock")
        public Lease hold() {
            return CurrentLease.get();
        }

        @HoldfastLock("stock")
        public void inside(Runnable work) {
            work.run();
        }

        @HoldfastLock("stock")
        public CompletableFuture<String> takeLater(CompletableFuture<String> result) {
            return result;
        }
    }

    @Test
    void transactional_sameMethod_isCommittedUnderTheLock() {
        application.transactions().observeAtCommit("stock");

        stock.takeInTransaction();

        assertThat(application.transactions().wasHeldAtCommit()).isTrue();
        assertThat(application.isHeld("stock")).isFalse();
    }

    @Test
    void transaction_ofTheCaller_isCommittedUnderTheLock() {
        application.transactions().observeAtCommit("stock");

        application.transaction().executeWithoutResult(status -> stock.take());

        assertThat(application.transactions().wasHeldAtCommit()).isTrue();
        assertThat(application.isHeld("stock")).isFalse();
    }

    @Test
    void transaction_rolledBack_releasesTheLock() {
        application.transaction().executeWithoutResult(status -> {
            stock.take();
            status.setRollbackOnly();
        });

        assertThat(application.isHeld("stock")).isFalse();
        assertThat(application.transactions().last()).isEqualTo("rolled back");
    }

    @Test
    void transaction_secondCallWithTheSameLock_runsUnderTheFirstLease() {
        application.transaction().executeWithoutResult(status -> {
            FencingToken first = stock.take();
            assertThat(stock.take()).isEqualTo(first);
        });

        assertThat(application.isHeld("stock")).isFalse();
    }

    @Test
    void transaction_leaseLostBeforeCommit_isRolledBack() {
        assertThatThrownBy(() -> application
                        .transaction()
                        .executeWithoutResult(status -> stock.hold().limit(Duration.ZERO)))
                .isInstanceOf(LeaseLostException.class);

        assertThat(application.transactions().last()).isEqualTo("rolled back");
    }

    /** The outer method holds the lock, and reports the loss only after the commit. */
    @Test
    void transaction_leaseOfInnerCallLostBeforeCommit_isRolledBack() {
        assertThatThrownBy(() -> stock.inside(() -> application.transaction().executeWithoutResult(status -> {
                    stock.take();
                    stock.hold().limit(Duration.ZERO);
                })))
                .isInstanceOf(LeaseLostException.class);

        assertThat(application.transactions().last()).isEqualTo("rolled back");
    }

    @Test
    void transaction_ofInnerCall_isCommittedUnderTheLock() {
        application.transactions().observeAtCommit("stock");

        stock.inside(() -> application.transaction().executeWithoutResult(status -> stock.take()));

        assertThat(application.transactions().wasHeldAtCommit()).isTrue();
        assertThat(application.isHeld("stock")).isFalse();
    }

    @Test
    void transaction_futureIsPendingAtCommit_keepsTheLockUntilBothEnd() {
        CompletableFuture<String> body = new CompletableFuture<>();

        CompletableFuture<String> result = application.transaction().execute(status -> stock.takeLater(body));
        boolean heldAfterCommit = application.isHeld("stock");
        body.complete("done");

        assertThat(heldAfterCommit).isTrue();
        assertThat(result.join()).isEqualTo("done");
        try (Lease next = application.holdElsewhere("stock")) {
            assertThat(next.isValid()).isTrue();
        }
    }

    @Test
    void transaction_futureCompletesBeforeCommit_keepsTheLockUntilTheCommit() {
        application.transactions().observeAtCommit("stock");

        application
                .transaction()
                .executeWithoutResult(status -> assertThat(stock.takeLater(CompletableFuture.completedFuture("done")))
                        .isCompletedWithValue("done"));

        assertThat(application.transactions().wasHeldAtCommit()).isTrue();
        assertThat(application.isHeld("stock")).isFalse();
    }
}
