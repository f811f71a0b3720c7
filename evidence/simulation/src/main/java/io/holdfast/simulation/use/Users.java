package io.holdfast.simulation.use;

import io.holdfast.simulation.world.Property;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** The users of one process, which together call every public method. */
public final class Users {

    private final Host host;
    private final List<User> all;

    /** Creates users that have not started. */
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

    /** Starts the users, perhaps again. */
    public void begin() {
        all.forEach(User::begin);
    }

    /** Stops the users: they make no more requests, and release their leases. */
    public void stop() {
        all.forEach(User::stop);
    }

    /** Returns the number of leases granted to the users. */
    public long granted() {
        return all.stream().mapToLong(User::granted).sum();
    }

    /** Admits new nodes as an administrator does, which is safe only before any lock was held. */
    public void admitNodes() {
        host.time().schedule(Duration.ZERO, () -> {
            try {
                host.block(Duration.ofMillis(300), () -> host.holdfast().admin().admit());
            } catch (Exception failure) {
                host.report(Property.DOCUMENTED, "adopt threw " + failure);
            }
        });
    }
}
