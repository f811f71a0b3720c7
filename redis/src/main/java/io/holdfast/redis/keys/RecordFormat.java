package io.holdfast.redis.keys;

import io.holdfast.lease.FencingToken;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The notation of records on a server and in the replies of scripts. */
public final class RecordFormat {

    /**
     * The words of a stored record: fence, revision, the memory in which it was written, its completeness, and its
     * text.
     */
    private static final int STORED_WORDS = 5;

    /** The words of the reply of the script that reads a record. */
    private static final int REPLY_WORDS = 6;

    private static final String UNEXPECTED = "replied what no script of Holdfast returns";

    private RecordFormat() {}

    /** Returns an instant as a script receives it: in microseconds since 1970. */
    public static String micros(Instant time) {
        return Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, time));
    }

    /** Converts the reply of the script that reads a record. */
    public static RecordAnswer answer(List<?> words) {
        if (words.size() != REPLY_WORDS || !"record".equals(words.get(0)) || words.contains(null)) {
            throw new IllegalArgumentException(UNEXPECTED);
        }
        try {
            String remembersSince = words.get(4).toString();
            LockRecord record = record(words.get(1), words.get(5), words.get(2), words.get(3));
            return new RecordAnswer(record, remembersSince.isEmpty() ? LockRecord.NEVER : instant(remembersSince));
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(UNEXPECTED, malformed);
        }
    }

    /** Returns a record as a node stores it that always remembers all records. */
    public static String stored(LockRecord record) {
        return record.fence() + " " + record.revision() + " 0 " + micros(record.completeSince()) + " " + record.text();
    }

    /** Returns the stored record; none if nothing is stored, or something else. */
    public static LockRecord record(@Nullable String stored) {
        String[] words = stored == null ? new String[0] : stored.split(" ", STORED_WORDS);
        try {
            return words.length == STORED_WORDS
                    ? record(words[0], words[1], words[3], words[4])
                    : LockRecord.none(LockRecord.ALWAYS);
        } catch (IllegalArgumentException notOurs) {
            return LockRecord.none(LockRecord.ALWAYS);
        }
    }

    private static LockRecord record(Object fence, Object revision, Object completeSince, Object text) {
        return new LockRecord(
                text.toString(),
                new FencingToken(Long.parseLong(fence.toString())),
                instant(completeSince.toString()),
                Integer.parseInt(revision.toString()));
    }

    private static Instant instant(String micros) {
        return Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
    }
}
