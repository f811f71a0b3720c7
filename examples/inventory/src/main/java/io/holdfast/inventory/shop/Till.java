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

    void take(Duration payment) {
        boolean slow = payment.toMillis() >= 100;
        slowCustomers.addAndGet(slow ? 1 : 0);
        long end = System.nanoTime() + payment.toNanos();
        for (long left = payment.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
        }
        slowCustomers.addAndGet(slow ? -1 : 0);
    }

    /** Returns the number of customers that pay slowly at this moment. */
    int slowCustomers() {
        return slowCustomers.get();
    }
}
