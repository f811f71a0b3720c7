package io.holdfast.inventory.shop;

import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The shop over HTTP. */
@RestController
class ShopController {

    private final Stock stock;
    private final Till till;
    private final TransactionTemplate transaction;

    ShopController(Stock stock, Till till, TransactionTemplate transaction) {
        this.stock = stock;
        this.till = till;
        this.transaction = transaction;
    }

    /** Sells a piece, and answers {@code sold} or {@code sold out}. */
    @PostMapping("/sell/{way}/{sku}")
    String sell(
            @PathVariable String way, @PathVariable String sku, @RequestParam(defaultValue = "1") long paymentMillis)
            throws InterruptedException {
        Duration payment = Duration.ofMillis(paymentMillis);
        boolean sold = switch (way) {
            case "no-lock" -> stock.sellWithoutLock(sku, payment);
            case "lock" -> stock.sellLocked(sku, payment);
            case "lock-in-transaction" -> sellInTransaction(sku, payment);
            case "token" -> stock.sellFenced(sku, payment);
            case "early" -> stock.sellReleasedEarly(sku, payment);
            default -> throw new IllegalArgumentException("There is no way '" + way + "' to sell");
        };
        return sold ? "sold" : "sold out";
    }

    /** The caller of a locked method has a transaction: the lock is released after that. */
    private boolean sellInTransaction(String sku, Duration payment) {
        return Boolean.TRUE.equals(transaction.execute(status -> stock.sellLocked(sku, payment)));
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    String refused(Stock.StaleTokenException stale) {
        return "refused: " + stale.getMessage();
    }

    /** Makes the customers that pay slowly finish. */
    @PostMapping("/paying/end")
    void endPayments() {
        till.callSlowCustomers();
    }

    /** Answers how many customers pay slowly at this moment. */
    @GetMapping("/paying")
    int paying() {
        return till.slowCustomers();
    }
}
