package io.holdfast.lettuce;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

    private static final Deque<List<@Nullable Object>> NONE = new ArrayDeque<>(0);

    /** The lists that are not complete. Most replies are no lists. */
    private Deque<List<@Nullable Object>> open = NONE;

    // The constructor of the superclass is not annotated; null means that there is no reply yet.
    @SuppressWarnings("NullAway")
    ReplyOutput() {
        super(StringCodec.UTF8, null);
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        add(bytes == null ? null : text(bytes));
    }

    private static String text(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return new String(copy, StandardCharsets.UTF_8);
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
        open = open == NONE ? new ArrayDeque<>() : open;
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
