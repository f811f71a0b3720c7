package io.holdfast.simulation.use;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** The users of one process, who together call every public method. */
public final class Users {

    private final Host host;
    private final List<User> all;

    /** Users who have not begun. */
    public Users(Host host, Menu menu, SplittableRandom random) {
        this.host = host;
        this.all = List.of(
                new LockUser(host, menu, random.split()),
                new LockUser(host, menu, random.split()),
                new PermitUser(host, menu, random.split()),
                new ThreadUser(host, menu, random.split()),
                new CandidateUser(host, menu, random.split()),
                new Caretaker(host, menu, random.split()));
    }

    /** Begins, perhaps again. */
    public void begin() {
        all.forEach(User::begin);
    }

    /** They ask for nothing any more, and give up what they have. */
    public void stop() {
        all.forEach(User::stop);
    }

    /** How many leases they were given. */
    public long granted() {
        return all.stream().mapToLong(User::granted).sum();
    }

    /** An operator admits new nodes, which is safe only before any lock was held. */
    public void admitNodes() {
        host.time().schedule(Duration.ZERO, () -> {
            try {
                host.block(Duration.ofMillis(300), () -> host.holdfast().admin().admit());
            } catch (Exception failure) {
                host.report(Rule.DOCUMENTED, "adopt threw " + failure);
            }
        });
    }
}
