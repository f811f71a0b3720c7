package io.holdfast.inventory.shop;

import io.holdfast.spring.HoldfastLock;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

/** The count of each night. All shops schedule it, one of them runs it, and another one does if that one fails. */
@Service
public class NightlyCount {

    private final JdbcClient database;

    NightlyCount(JdbcClient database) {
        this.database = database;
    }

    /** Throws if more pieces were sold than there were, so that the history of the job contains it. */
    @Scheduled(cron = "0 0 3 * * *")
    @HoldfastLock(value = "nightly-count", oncePer = "@daily")
    public void count() {
        int missing = database.sql("select count(*) from stock where pieces < 0")
                .query(Integer.class)
                .single();
        if (missing > 0) {
            throw new IllegalStateException(missing + " kinds of pieces were sold too often");
        }
    }
}
