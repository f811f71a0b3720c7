package io.holdfast.redis.doctor;

import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAdmin.NamePage;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.keys.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands about many locks at once, and what their replies mean. */
final class ManyLocks {

    private static final String FENCE_KEYS = "*:holdfast:fence";
    private static final int SCAN_STEP = 2_000;
    private static final String FIRST = "0";

    /** The end of the part of a queue that a mark contains: few read further, and a queue may have thousands. */
    private static final String LAST_WAITER = "19";

    private ManyLocks() {}

    /** Returns the command for a page of names; the cursor of the server is where the page begins. */
    static List<String> pageCommand(String from) {
        String cursor = from.equals(NamePage.START) ? FIRST : from;
        return List.of("SCAN", cursor, "MATCH", FENCE_KEYS, "COUNT", Integer.toString(SCAN_STEP));
    }

    /** Returns the page of a reply. Keys that no lock has are left out. */
    static NamePage page(RedisReply reply) {
        List<?> page = RedisReplies.list(reply);
        if (page.size() != 2 || !(page.get(1) instanceof List<?> keys)) {
            throw new IllegalArgumentException("a reply of another length or type");
        }
        List<String> found = keys.stream()
                .flatMap(key -> Keys.lockName(String.valueOf(key)).stream())
                .toList();
        String next = String.valueOf(page.get(0));
        return new NamePage(found, SCAN_STEP, next.equals(FIRST) ? NamePage.START : next);
    }

    /** Returns the commands for the marks of these locks: one for all holders, and one for each queue. */
    static List<List<String>> markCommands(List<Keys> locks) {
        List<String> holders = new ArrayList<>(List.of("MGET"));
        locks.forEach(keys -> holders.addAll(List.of(keys.lock(), keys.owner())));
        return Stream.concat(
                        Stream.of(holders),
                        locks.stream().map(keys -> List.of("ZRANGE", keys.queue(), "0", LAST_WAITER)))
                .toList();
    }

    /** Returns the marks in the replies to these commands. The value of a time lock does not name its owner. */
    static List<Integer> marks(int locks, List<RedisReply> replies) {
        // A queue of another type is of no lock.
        List<?> holders = RedisReplies.list(replies.get(0));
        if (holders.size() != 2 * locks) {
            throw new IllegalArgumentException("a reply of another length or type");
        }
        return IntStream.range(0, locks)
                .mapToObj(i -> mark(holders.get(2 * i), holders.get(2 * i + 1), RedisReplies.list(replies.get(i + 1))))
                .toList();
    }

    private static int mark(@Nullable Object value, @Nullable Object owner, List<?> queue) {
        return value == null && queue.isEmpty() ? NodeAdmin.FREE : Objects.hash(value, owner, queue) | 1;
    }
}
