package io.holdfast.spring.boot.actuate;

import io.holdfast.Holdfast;
import io.holdfast.admin.LockStatus;
import io.holdfast.jobs.JobOverview;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code /actuator/holdfast}: the leases of this process, its nodes and all jobs, and, with the name of a
 * lock, its state on all nodes. No answer contains the owner of a lease, by which it could be released. With {@code
 * management.endpoint.holdfast.access=unrestricted}, and not by default, {@code ?limit=100} lists the locks of all
 * processes, and a lock can be broken.
 */
@Endpoint(id = "holdfast", defaultAccess = Access.READ_ONLY)
public final class HoldfastEndpoint {

    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;

    /** The greatest number of locks in an answer, and of jobs. */
    private static final int MAX_LOCKS = 1_000;

    private static final Duration JOBS_LIMIT = Duration.ofSeconds(2);

    private final Holdfast holdfast;
    private final LeaseTable leases;
    private final JobOverview jobs;
    private final boolean unrestricted;

    /**
     * Creates an endpoint.
     *
     * @param unrestricted whether the locks of other processes may be listed, which iterates over all keys of the nodes
     */
    HoldfastEndpoint(Holdfast holdfast, LeaseTable leases, JobOverview jobs, boolean unrestricted) {
        this.holdfast = holdfast;
        this.leases = leases;
        this.jobs = jobs;
        this.unrestricted = unrestricted;
    }

    /**
     * The locks of this process.
     *
     * @param held the leases of this process
     * @param waiting the number of requests that wait, by lock
     * @param nodes the condition of each node, as this process knows it
     * @param previousNodes the condition of each node of the previous set; usually none
     * @param jobs the jobs of all processes, by name; null if the nodes do not list them
     * @param locks the locks of all processes, by name; null unless they were asked for
     */
    public record Overview(
            List<?> held,
            Map<String, Integer> waiting,
            List<Node> nodes,
            List<Node> previousNodes,
            @Nullable List<JobView> jobs,
            @Nullable List<Lock> locks) {}

    /**
     * The condition of a node.
     *
     * @param name its address without credentials
     * @param state votes, quarantined, unreachable, refused or closed
     * @param cause the reason why it does not vote; empty if it votes
     */
    public record Node(String name, String state, String cause) {}

    /**
     * The state of a lock on all nodes.
     *
     * @param resource the name of the lock
     * @param held whether a majority reports the same holder; null if that depends on nodes that do not answer
     * @param holder a mark of the holder, which cannot release the lock; null if a majority reports none
     * @param freeIn the time after which the lock is free unless the holder extends it
     * @param heldBy the names of the clients that hold it, as far as they are known
     * @param waiting the names of the clients in the wait queue, the next one first; the id of one without a name
     * @param note the description that the holder has given of itself; may be empty
     * @param nodes the reply of each node
     */
    public record Lock(
            String resource,
            @Nullable Boolean held,
            @Nullable String holder,
            @Nullable Duration freeIn,
            List<String> heldBy,
            List<String> waiting,
            String note,
            Map<String, String> nodes) {}

    /**
     * Returns the leases of this process, the condition of its nodes and the jobs. Only the jobs ask the nodes, and
     * only if their last reading is too old; a silent node delays the answer by at most 2 s.
     *
     * @param limit also list the first locks of all processes, by name; at most {@value #MAX_LOCKS}. This iterates over
     *     all keys of the nodes, and is forbidden unless the access is unrestricted. Null: no list
     */
    @ReadOperation
    public WebEndpointResponse<Overview> overview(@Nullable Integer limit) {
        if (limit == null) {
            return new WebEndpointResponse<>(overviewWith(null));
        } else if (!unrestricted) {
            return new WebEndpointResponse<>(FORBIDDEN);
        } else if (limit < 0 || limit > MAX_LOCKS) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_BAD_REQUEST);
        }
        return new WebEndpointResponse<>(overviewWith(holdfast.admin().list(limit)));
    }

    private Overview overviewWith(@Nullable List<LockStatus> locks) {
        return new Overview(
                leases.held(),
                leases.waiting(),
                described(holdfast.nodes()),
                described(holdfast.previousNodes()),
                JobView.of(jobs.within(JOBS_LIMIT).get(), MAX_LOCKS),
                locks == null
                        ? null
                        : locks.stream().map(HoldfastEndpoint::describe).toList());
    }

    private static List<Node> described(List<NodeStatus> nodes) {
        return nodes.stream()
                .map(node -> new Node(node.name(), node.state().name().toLowerCase(Locale.ROOT), node.cause()))
                .toList();
    }

    /** Returns the state of a lock on all nodes. Blocks until they have answered, at most for six seconds. */
    @ReadOperation
    public Lock lock(@Selector(match = Selector.Match.ALL_REMAINING) String... resource) {
        String name = name(resource);
        try {
            return describe(holdfast.admin().status(name));
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException("'" + name + "' is not the name of a lock", e.getMessage());
        }
    }

    /** Joins the parts of a name with slashes, which were the separators of the path. */
    private static String name(String... parts) {
        return String.join("/", parts);
    }

    private static Lock describe(LockStatus status) {
        Optional<NodeLockStatus> held = status.held();
        Map<String, String> nodes = new LinkedHashMap<>();
        status.nodes().forEach(answer -> nodes.put(answer.node(), describe(answer)));
        return new Lock(
                status.resource(),
                isHeld(status),
                held.map(NodeLockStatus::holder).orElse(null),
                held.map(NodeLockStatus::timeLeft).orElse(null),
                status.holders().stream().map(ClientDescription::toString).toList(),
                status.queue().stream()
                        .map(waiter -> name(waiter.client(), status))
                        .toList(),
                held.map(lock -> lock.note().text()).orElse(""),
                nodes);
    }

    private static @Nullable Boolean isHeld(LockStatus status) {
        if (status.held().isEmpty() && status.mayBeHeld()) {
            return null;
        }
        return status.held().isPresent();
    }

    private static String name(String client, LockStatus status) {
        ClientDescription known = status.clients().get(client);
        return known == null ? client : known.toString();
    }

    private static String describe(NodeAnswer<NodeLockStatus> answer) {
        NodeLockStatus lock = answer.value();
        if (lock == null) {
            return answer.error();
        }
        return lock.isHeld()
                ? "held by " + lock.holder() + " for " + lock.timeLeft().toMillis() + " ms"
                : "free";
    }

    /**
     * Removes a lock from its holder, on all nodes. The holder continues until it notices that, so two processes may
     * use the resource meanwhile. The comparison and the removal are two steps, because a user without permission for
     * scripts can remove a lock: a client that acquires the lock between them loses it as well, at its next renewal.
     *
     * @param holder the mark of the holder that was seen: another holder keeps the lock
     */
    @DeleteOperation
    public WebEndpointResponse<Lock> breakLock(
            @Selector(match = Selector.Match.ALL_REMAINING) String[] resource, String holder) {
        Lock seen = lock(resource);
        if (seen.holder() == null) {
            return new WebEndpointResponse<>(seen, WebEndpointResponse.STATUS_NOT_FOUND);
        } else if (!seen.holder().equals(holder)) {
            return new WebEndpointResponse<>(seen, CONFLICT);
        }
        holdfast.admin().breakLock(seen.resource());
        return new WebEndpointResponse<>(lock(resource));
    }
}
