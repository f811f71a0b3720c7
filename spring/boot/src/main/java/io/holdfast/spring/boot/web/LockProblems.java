package io.holdfast.spring.boot.web;

import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.Optional;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * The answers to requests whose lock was refused. They contain neither the name of the lock, which may be that of a
 * customer, nor anything about its holder or the nodes. Immutable.
 */
@RestControllerAdvice
@Order(0)
final class LockProblems {

    /** As long as a server takes to start again, if the nodes do not know better. */
    private static final Duration OUTAGE = Duration.ofSeconds(2);

    /** Answers 423; the client may come again when the lease of the holder is over at the latest, if that is known. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> held(LockTimeoutException refusal) {
        // A key without an expiry, which another program has stored, is free at no known time.
        Optional<Duration> free = refusal.remainingHold().filter(left -> left.compareTo(LockOptions.MAX_LEASE) <= 0);
        return response(HttpStatus.LOCKED, "Another request holds a lock that this one needs.", free);
    }

    /** Answers 503; the client may come again when a majority of the nodes votes. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> unreachable(QuorumUnreachableException refusal) {
        return response(
                HttpStatus.SERVICE_UNAVAILABLE,
                "The locks cannot be reached.",
                Optional.of(refusal.quorumExpectedIn().orElse(OUTAGE)));
    }

    private static ResponseEntity<ProblemDetail> response(
            HttpStatus status, String detail, Optional<Duration> retryAfter) {
        ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
        retryAfter.ifPresent(after -> response.header(HttpHeaders.RETRY_AFTER, String.valueOf(seconds(after))));
        return response.body(ProblemDetail.forStatusAndDetail(status, detail));
    }

    private static long seconds(Duration after) {
        return Math.max(1, Durations.toWholeSeconds(after));
    }
}
