package io.holdfast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockStatus;
import io.holdfast.admin.LockWatch.Names;
import io.holdfast.admin.LockWatch.ObservedLock;
import io.holdfast.admin.LockWatch.Reading;
import io.holdfast.lease.ClientDescription;
import io.holdfast.lease.FencingToken;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeLockStatus.Note;
import io.holdfast.node.NodeLockStatus.Waiter;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LockTableTest {

    private static final String NAME = "order:1";
    private static final long HOUR = 3_600_000;
    private static final Map<String, ClientDescription> CLIENTS = Map.of(
            "a-1", new ClientDescription("orders@pod-7", 12, Instant.ofEpochMilli(1_000)),
            "b-1", new ClientDescription("orders@pod-8", 13, Instant.ofEpochMilli(2_000)));

    private final LockTable table = new LockTable();
    /** The wall clock, in milliseconds. */
    private long now = 1_795_670_000_000L;
    /** The clock that cannot be set. */
    private long nanos;

    private static NodeLockStatus free(String note) {
        return new NodeLockStatus("", 0, Duration.ZERO, new FencingToken(7), List.of(), List.of(), note(note), false);
    }

    private static Note note(String text) {
        return text.isEmpty() ? Note.NONE : new Note(FencingToken.NONE, text);
    }

    private static NodeLockStatus held(String client, Duration left, Waiter... queue) {
        return new NodeLockStatus(
                "mark of " + client, 0, left, new FencingToken(7), List.of(client), List.of(queue), Note.NONE, false);
    }

    private Map<String, Object> read(long after, NodeLockStatus view) {
        Map<String, Object> row = readAll(after, List.of(NAME), view).getOrDefault(NAME, Map.of());
        assertThat(row.isEmpty() || row.keySet().containsAll(List.of("name", "state", "clients", "queue")))
                .isTrue();
        return row;
    }

    private Map<String, Object> readNothing(long after) {
        return readAll(after, List.of(), free("")).getOrDefault(NAME, Map.of());
    }

    /** Reads these locks, which have the same state. */
    private Map<String, Map<String, Object>> readAll(long after, List<String> names, NodeLockStatus view) {
        now += after;
        nanos += after * 1_000_000;
        Moment moment = new Moment(nanos, now * 1_000);
        List<NodeAnswer<NodeLockStatus>> nodes = IntStream.range(0, 3)
                .mapToObj(i -> NodeAnswer.of("node-" + i, view))
                .toList();
        return table.update(new Reading(
                moment,
                List.of(),
                List.of(),
                names.stream()
                        .map(name -> new ObservedLock(new LockStatus(name, nodes, CLIENTS), moment))
                        .toList(),
                new Names(true, 1, 0, "")));
    }

    private List<Object> ends() {
        return table.history(NAME).stream().map(hold -> hold.get("end")).toList();
    }

    @Test
    void update_heldLock_hasItsClientsByName() {
        Map<String, Object> row =
                read(0, held("a-1", Duration.ofSeconds(30), new Waiter("b-1", Optional.of(Instant.ofEpochMilli(5)))));

        assertThat(row)
                .containsEntry("state", "held")
                .containsEntry("freeAt", now + 30_000)
                .containsEntry("leaseMillis", 30_000L)
                .containsEntry(
                        "clients", List.of(Map.of("id", "a-1", "name", "orders@pod-7", "pid", 12L, "since", 1_000L)))
                .containsEntry("queue", List.of(Map.of("id", "b-1", "name", "orders@pod-8", "pid", 13L, "since", 5L)));
    }

    /** A lock is held if a majority of either set has one holder. */
    @Test
    void fields_previousSetIsSilent_isHeldOrUnknown() {
        Moment moment = new Moment(nanos, now * 1_000);

        assertThat(besideASilentSet(held("a-1", Duration.ofSeconds(30))).fields(moment))
                .containsEntry("state", "held")
                .containsEntry("freeAt", now + 30_000);
        assertThat(besideASilentSet(free("")).fields(moment)).containsEntry("state", "unknown");
    }

    private LockRow besideASilentSet(NodeLockStatus view) {
        Moment moment = new Moment(nanos, now * 1_000);
        LockStatus status = new LockStatus(
                NAME, List.of(NodeAnswer.of("node", view), NodeAnswer.failed("old", "down")), 1, CLIENTS);
        LockRow row = new LockRow(status);
        row.observe(new ObservedLock(status, moment), false, moment);
        return row;
    }

    /** The page reads the clients of every row, also of one that has none. */
    @Test
    void update_awaitedFreeLock_hasNoClients() {
        NodeLockStatus awaited = new NodeLockStatus(
                "",
                0,
                Duration.ZERO,
                new FencingToken(7),
                List.of(),
                List.of(new Waiter("b-1", Optional.empty())),
                Note.NONE,
                false);

        assertThat(read(0, awaited)).containsEntry("state", "free").containsEntry("clients", List.of());
    }

    @Test
    void update_endOfLeaseReadAgain_isTheSameRow() {
        Map<String, Object> row = read(0, held("a-1", Duration.ofSeconds(30)));

        assertThat(read(3_000, held("a-1", Duration.ofMillis(27_020)))).isSameAs(row);
        assertThat(read(500, held("a-1", Duration.ofSeconds(30)))).isNotEqualTo(row);
    }

    @Test
    void update_released_isNoLoss() {
        read(0, held("a-1", Duration.ofSeconds(30)));

        assertThat(read(500, free(""))).isEmpty();
        assertThat(ends()).containsExactly("released");
    }

    @Test
    void update_leaseEndsAndAnotherHolds_isTakenOver() {
        read(0, held("a-1", Duration.ofSeconds(3)));
        read(2_500, held("a-1", Duration.ofMillis(500)));

        Map<String, Object> row = read(500, held("b-1", Duration.ofSeconds(30)));

        assertThat(row.get("lost"))
                .isEqualTo(Map.of("id", "a-1", "name", "orders@pod-7", "at", now, "end", "taken over"));
        assertThat(ends()).containsExactly("taken over");
    }

    @Test
    void update_leaseEnds_isShownForTenSeconds() {
        read(0, held("a-1", Duration.ofSeconds(3)));
        read(2_500, held("a-1", Duration.ofMillis(500)));

        assertThat(read(500, free(""))).containsEntry("state", "free").containsKey("lost");
        assertThat(readNothing(9_000)).containsKey("lost");
        assertThat(readNothing(1_000)).isEmpty();
        assertThat(ends()).containsExactly("expired");
    }

    @Test
    void update_removedByAnAdministrator_isBroken() {
        read(0, free(""));
        read(500, held("a-1", Duration.ofSeconds(30)));
        read(500, free("root@web3: stuck"));

        read(500, held("a-1", Duration.ofSeconds(30)));
        table.breaking(NAME, "mark of a-1");
        read(500, held("b-1", Duration.ofSeconds(30)));

        assertThat(ends()).containsExactly("broken", "broken");
    }

    /** Its row is still that of the holder, although the console knows better. */
    @Test
    void update_readingBeganBeforeTheRemoval_isBroken() {
        read(0, held("a-1", Duration.ofSeconds(30)));
        table.breaking(NAME, "mark of a-1");
        read(500, held("a-1", Duration.ofSeconds(30)));
        read(500, free(""));

        assertThat(ends()).containsExactly("broken");
    }

    /** All shared holders have the same mark. */
    @Test
    void update_sharedAgainAfterARemoval_isReleased() {
        read(0, held("a-1", Duration.ofSeconds(30)));
        table.breaking(NAME, "mark of a-1");
        read(500, free(""));
        read(500, held("a-1", Duration.ofSeconds(30)));
        read(500, free(""));

        assertThat(ends()).containsExactly("broken", "released");
    }

    @Test
    void update_removalHasFailed_isReleased() {
        read(0, held("a-1", Duration.ofSeconds(30)));
        table.breaking(NAME, "mark of a-1");
        table.breaking(NAME, "");
        read(500, free(""));

        assertThat(ends()).containsExactly("released");
    }

    @Test
    void update_nextReadingIsLateAfterARemoval_isBroken() {
        read(0, held("a-1", Duration.ofSeconds(30)));
        table.breaking(NAME, "mark of a-1");
        read(60_000, free(""));

        assertThat(ends()).containsExactly("broken");
    }

    /** The nodes keep the note for a minute, also after the next holds. */
    @Test
    void update_releasedAfterARemoval_isNotBrokenAgain() {
        read(0, free(""));
        read(500, held("a-1", Duration.ofSeconds(30)));
        read(500, free("root@web3: stuck"));
        read(500, held("b-1", Duration.ofSeconds(30)));
        read(500, free("root@web3: stuck"));

        assertThat(ends()).containsExactly("broken", "released");
    }

    /** The lease may have been extended since the last reading. */
    @Test
    void update_shortLeaseReadLongAgo_isNoLoss() {
        read(0, held("a-1", Duration.ofSeconds(1)));
        read(1_000, free(""));

        assertThat(ends()).containsExactly("unknown");
    }

    @Test
    void update_nobodyLooked_endIsUnknown() {
        read(0, held("a-1", Duration.ofSeconds(30)));
        read(60_000, free(""));

        assertThat(ends()).containsExactly("unknown");
    }

    @Test
    void history_manyHolds_isBounded() {
        IntStream.range(0, 300).forEach(i -> {
            read(500, held("a-1", Duration.ofSeconds(30)));
            read(500, free(""));
        });

        assertThat(ends()).hasSize(200).containsOnly("released");
    }

    /** One bound for all locks, since each of them may have its 200 holds. */
    @Test
    @Tag("evidence")
    void history_manyLocks_isBoundedInAll() {
        List<String> names = IntStream.range(0, 300).mapToObj(i -> "order:" + i).toList();
        IntStream.range(0, 200).forEach(i -> {
            readAll(500, names, held("a-1", Duration.ofSeconds(30)));
            readAll(500, names, free(""));
        });
        readAll(500, List.of("last"), held("a-1", Duration.ofSeconds(30)));
        readAll(500, List.of("last"), free(""));

        assertThat(table.history("last")).hasSize(1);
        assertThat(names.stream().mapToInt(name -> table.history(name).size()).sum())
                .isBetween(49_000, 49_999);
    }

    @Test
    @Tag("evidence")
    void history_moreLocksThanAreKept_forgetsThoseSeenLongestAgo() {
        List<String> names =
                IntStream.range(0, 10_000).mapToObj(i -> "invoice:" + i).toList();
        read(500, held("a-1", Duration.ofSeconds(30)));
        read(500, free(""));
        readAll(500, names, held("a-1", Duration.ofSeconds(30)));
        readAll(500, names, free(""));

        assertThat(ends()).isEmpty();
        assertThat(names).allSatisfy(name -> assertThat(table.history(name)).hasSize(1));
    }

    @Test
    void update_clockIsSetBack_lossIsShownForTenSeconds() {
        read(0, held("a-1", Duration.ofSeconds(3)));
        read(2_500, held("a-1", Duration.ofMillis(500)));
        now -= HOUR;

        assertThat(read(500, held("b-1", Duration.ofSeconds(30))).get("lost"))
                .isEqualTo(Map.of("id", "a-1", "name", "orders@pod-7", "at", now, "end", "taken over"));
        now -= HOUR;
        assertThat(read(9_000, held("b-1", Duration.ofSeconds(30)))).containsKey("lost");
        assertThat(read(1_000, held("b-1", Duration.ofSeconds(30)))).doesNotContainKey("lost");
    }

    @Test
    void update_clockIsSetBack_noTimeIsInTheFuture() {
        read(0, held("a-1", Duration.ofSeconds(30)));
        now -= HOUR;

        assertThat(read(500, held("a-1", Duration.ofMillis(29_500))))
                .containsEntry("heldSince", now)
                .containsEntry("freeAt", now + 29_500);
        now -= HOUR;
        read(500, free(""));
        assertThat(table.history(NAME))
                .singleElement()
                .satisfies(hold -> assertThat(hold)
                        .containsEntry("from", now)
                        .containsEntry("to", now)
                        .containsEntry("end", "released"));
    }

    /** The clock that cannot be set stands still then. */
    @Test
    void update_machineWasSuspended_endIsUnknown() {
        read(0, held("a-1", Duration.ofSeconds(30)));
        now += HOUR;
        read(500, free(""));

        assertThat(ends()).containsExactly("unknown");
    }
}
