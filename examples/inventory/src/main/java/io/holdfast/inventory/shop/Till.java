package io.holdfast.inventory.shop;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.springframework.stereotype.Component;

/** Takes payments, which last for a while: the time between the read and the write of a sale. */
@Component
class Till {

    private final AtomicInteger slowCustomers = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();

    /** Takes a payment, which ends after this time, or when slow customers are called. */
    void take(Duration payment) {
        boolean slow = payment.toMillis() >= 100;
        int call = calls.get();
        slowCustomers.addAndGet(slow ? 1 : 0);
        long end = System.nanoTime() + payment.toNanos();
        for (long left = payment.toNanos(); left > 0 && calls.get() == call; left = end - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
        }
        slowCustomers.addAndGet(slow ? -1 : 0);
    }

    /** Makes the customers that pay slowly finish. */
    void callSlowCustomers() {
        calls.incrementAndGet();
    }

    /** Returns the number of customers that pay slowly at this moment. */
    int slowCustomers() {
        return slowCustomers.get();
    }
}
