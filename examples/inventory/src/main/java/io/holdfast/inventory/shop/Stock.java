package io.holdfast.inventory.shop;

import io.holdfast.spring.CurrentLease;
import io.holdfast.spring.HoldfastLock;
import io.holdfast.spring.LockFactory;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * The stock of the shop, sold in four ways. Each reads the number of pieces, takes the payment, and writes a smaller
 * number: two sales at the same time can read the same number, and sell the same piece.
 */
@Service
public class Stock {

    private static final long NO_TOKEN = Long.MAX_VALUE;

    private final JdbcClient database;
    private final LockFactory locks;
    private final Till till;

    Stock(JdbcClient database, LockFactory locks, Till till) {
        this.database = database;
        this.locks = locks;
        this.till = till;
    }

    /** Sells a piece without a lock. */
    @Transactional
    public boolean sellWithoutLock(String sku, Duration payment) {
        return sell(sku, payment, NO_TOKEN);
    }

    /** Sells a piece under a lock, which encloses the transaction. */
    @HoldfastLock("stock:#{#sku}")
    @Transactional
    public boolean sellLocked(String sku, Duration payment) {
        return sell(sku, payment, NO_TOKEN);
    }

    /** Sells a piece under a lock, and lets the database check the fencing token. */
    @HoldfastLock("stock:#{#sku}")
    @Transactional
    public boolean sellFenced(String sku, Duration payment) {
        return sell(sku, payment, CurrentLease.get().fencingToken().value());
    }

    /** Sells a piece under a lock that is released before the commit: the mistake that the annotation prevents. */
    @Transactional
    public boolean sellReleasedEarly(String sku, Duration payment) throws InterruptedException {
        boolean sold = locks.lock("stock:" + sku).call(lease -> sell(sku, payment, NO_TOKEN));
        // What else belongs to a sale, between the release and the commit.
        till.take(payment);
        return sold;
    }

    private boolean sell(String sku, Duration payment, long token) {
        int pieces = database.sql("select pieces from stock where sku = ?")
                .param(sku)
                .query(Integer.class)
                .single();
        if (pieces == 0) {
            return false;
        }
        till.take(payment);
        requireCurrent(write(sku, pieces - 1, token));
        database.sql("insert into sale (sku) values (?)").param(sku).update();
        return true;
    }

    /**
     * Writes the number of pieces, unless a lease with a greater token has written it. Check and write are one
     * statement.
     */
    private int write(String sku, int pieces, long token) {
        return database.sql("update stock set pieces = ?, fence = ? where sku = ? and fence <= ?")
                .params(pieces, token == NO_TOKEN ? 0 : token, sku, token)
                .update();
    }

    private static void requireCurrent(int rows) {
        if (rows == 0) {
            throw new StaleTokenException();
        }
    }

    /** Thrown if a later lease has written meanwhile; the transaction is rolled back, and nothing is sold. */
    public static final class StaleTokenException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        StaleTokenException() {
            super("The lock was lost while this sale was in progress, and another sale has come first");
        }
    }
}
