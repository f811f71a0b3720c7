package io.holdfast.simulation.use;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.admin.WaitCycle;
import io.holdfast.event.Registration;
import io.holdfast.security.Credentials;
import io.holdfast.simulation.world.Property;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Checks locks and options, and sometimes ends its process. */
final class Caretaker extends User {

    private static final Duration EXAMINATION = Duration.ofMillis(5_100);

    /** A node that does not answer an administrator within 2 s counts as unreachable. */
    private static final Duration ADMIN_ANSWER = Duration.ofMillis(2_100);

    /** A second, and the answers to one question. */
    private static final Duration CONFIRMATION = Duration.ofMillis(3_100);

    private Optional<Registration> listening = Optional.empty();

    Caretaker(Host host, Menu menu, RandomGenerator random) {
        super(host, menu, random);
    }

    @Override
    void act() {
        Holdfast holdfast = host.holdfast();
        LockAdmin admin = holdfast.admin();
        String name = menu.name(random);
        switch (random.nextInt(60)) {
            case 0 -> {
                if (random.nextInt(10) == 0) {
                    host.exit();
                }
            }
            case 1, 2 -> {
                if (mayWait()) {
                    check(call("status", () -> host.block(ADMIN_ANSWER, () -> admin.status(name))));
                }
            }
            case 3 -> {
                if (mayWait()) {
                    int limit = random.nextInt(10);
                    call(
                            "list",
                            () -> {
                                List<LockStatus> listed = host.block(ADMIN_ANSWER, () -> admin.list(limit));
                                WaitCycle.in(listed, listed);
                                return host.block(CONFIRMATION, () -> admin.waitCycles(listed));
                            },
                            IllegalStateException.class);
                }
            }
            case 4 -> {
                block("break", () -> admin.breakLock("never:held"));
                block("break with a note", () -> admin.breakLock("never:held", "a note"));
            }
            case 5 -> {
                if (mayWait()) {
                    call("examine", () -> host.block(EXAMINATION, admin::examine));
                }
            }
            case 6 -> listen(holdfast);
            case 7 -> refuseBadOptions();
            case 8 -> annotate(name);
            case 9 -> checkClient(holdfast, name);
            default -> {}
        }
    }

    /** A long wait stops all other work of the machine, so it is rare. */
    private boolean mayWait() {
        return host.mayBlock() && random.nextInt(4) == 0;
    }

    /**
     * A listener that never throws, and that is unregistered after a while, or by the next one. Each event is a task
     * for each listener, so a growing number of them would be most of a run.
     */
    private void listen(Holdfast holdfast) {
        listening.ifPresent(Registration::close);
        Registration registration = holdfast.onEvent(event -> {});
        listening = Optional.of(registration);
        if (random.nextBoolean()) {
            later(menu.stay(random), registration::close);
        }
    }

    private void checkClient(Holdfast holdfast, String name) {
        String wrong = call("options", () -> OptionUse.check(holdfast, name, menu.options(random)));
        Boolean own = call("over", () -> OptionUse.makesOwnClient(host.time(), name));
        if (wrong == null || !wrong.isEmpty() || own == null || !own) {
            host.report(Property.DOCUMENTED, "a client says " + wrong);
        }
    }

    private void check(@Nullable LockStatus status) {
        if (status == null) {
            return;
        }
        boolean held = status.held().isPresent() && !status.isHeldSomewhere();
        boolean seen =
                (status.isQuorum() || status.isDisputed()) && status.nodes().isEmpty();
        if (held || seen) {
            host.report(Property.DOCUMENTED, status + " contradicts itself");
        }
    }

    private void annotate(String name) {
        Host.Attempt attempt = host.begin();
        host.holdfast()
                .lock(name, menu.base().toBuilder().waitLimit(Duration.ZERO).build())
                .acquireAsync()
                .thenAccept(lease -> {
                    got(attempt, lease, menu.base());
                    lease.annotate("a note");
                })
                .exceptionally(failure -> null);
    }

    private void refuseBadOptions() {
        LockOptions base = LockOptions.DEFAULT;
        Class<IllegalArgumentException> refusal = IllegalArgumentException.class;
        call("waitLimit", () -> base.toBuilder().waitLimit(Duration.ofNanos(-1)).build(), refusal);
        call(
                "lease",
                () -> base.toBuilder().lease(LockOptions.MAX_LEASE.plusNanos(1)).build(),
                refusal);
        call("driftShare", () -> base.toBuilder().driftShare(0.51).build(), refusal);
        call("nodeTimeout", () -> base.toBuilder().nodeTimeout(base.lease()).build(), refusal);
        call("margin", () -> base.margin().compareTo(base.lease()));
        call("fair", () -> base.toBuilder().fair(true).build().fair());
        HoldfastOptions options = HoldfastOptions.builder()
                .maxLease(Duration.ofMillis(10))
                .restarts(RestartPolicy.DURABLE)
                .strictFences(true)
                .callbackExecutor(task -> {})
                .hostnameVerification(false)
                .credentials(() -> new Credentials("", "no password"))
                .sentinelCredentials(() -> new Credentials("", "another password"))
                .addressMap(Map.of("10.0.0.1:6379", "localhost:6379"))
                .connectTimeout(Duration.ofMillis(1))
                .build();
        call("replicas", () -> options.toBuilder().replicas(100).build());
        call("replicas", () -> options.toBuilder().replicas(101).build(), refusal);
        call("callbackExecutor", () -> options.toBuilder().callbackExecutor(Runnable::run), refusal);
        call("options", () -> OptionUse.check(options));
    }
}
