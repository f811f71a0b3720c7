package io.holdfast.lettuce;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reply of any type: a String, a Long, null, or a List of such values. A map becomes the list of its keys and values.
 */
final class ReplyOutput extends CommandOutput<String, String, Object> {

    /** A server may declare more elements than it sends. */
    private static final int MOST_RESERVED = 1_000;

    private final Deque<List<@Nullable Object>> open = new ArrayDeque<>();

    // The constructor of the superclass is not annotated; null means that there is no reply yet.
    @SuppressWarnings("NullAway")
    ReplyOutput() {
        super(StringCodec.UTF8, null);
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        add(bytes == null ? null : codec.decodeValue(bytes));
    }

    @Override
    public void set(long integer) {
        add(integer);
    }

    @Override
    public void set(double number) {
        add(Double.toString(number));
    }

    @Override
    public void set(boolean value) {
        add(value ? 1L : 0L);
    }

    @Override
    public void multi(int count) {
        List<@Nullable Object> list = new ArrayList<>(Math.max(0, Math.min(count, MOST_RESERVED)));
        add(list);
        open.push(list);
    }

    /** Closes the lists that are complete: those deeper than this depth. */
    @Override
    public void complete(int depth) {
        while (open.size() > depth) {
            open.pop();
        }
    }

    @SuppressWarnings("NullAway")
    private void add(@Nullable Object value) {
        if (open.isEmpty()) {
            output = value;
        } else {
            open.peek().add(value);
        }
    }
}
