package io.holdfast.redis.client;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Follows the bytes that one server sends, and rejects what cannot be a reply to a command of Holdfast: one that is too
 * long, declares too many elements, is nested too deep, or is no RESP. A hostile server then costs bounded memory,
 * because Redis clients reserve the memory that a reply declares. Not thread-safe.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/protocol-spec/">RESP</a>
 */
public final class ReplyLimit {

    /** The greatest length of a reply in bytes, far above the longest list of waiters or slots. */
    public static final int MAX_BYTES = 16 << 20;

    /** The greatest number of elements that a reply declares, nested ones included. */
    public static final int MAX_ELEMENTS = 1 << 20;

    /** The greatest length of a line: of an error, of a status, or of a number. */
    public static final int MAX_LINE = 64 << 10;

    /** The greatest depth of lists in lists. Clients parse them recursively. */
    public static final int MAX_DEPTH = 8;

    private static final int MAX_DIGITS = 9;
    private static final int END_OF_LINE = 2;
    private static final String LINES = "+-:,#_(";
    private static final String TEXTS = "$!=";
    private static final String LISTS = "*~>";
    private static final char MAP = '%';

    /** The number of elements that each open list still expects. */
    private final int[] missing = new int[MAX_DEPTH];

    private int depth;
    private long bytes;
    private long elements;
    /** The type of the value whose first line is being read, or 0 before it. */
    private char type;

    private int line;
    private boolean carriageReturn;
    private boolean negative;
    private int length;
    /** The number of bytes of a text that are still expected, its end of line included. */
    private int rest;

    /** Creates a limit for a connection on which nothing was received. */
    public ReplyLimit() {}

    /**
     * Follows the next bytes.
     *
     * @throws IOException if they break a limit; the connection must then be closed, and this object no longer used
     */
    public void accept(ByteBuffer received) throws IOException {
        while (received.hasRemaining()) {
            if (rest > 0) {
                int skipped = Math.min(rest, received.remaining());
                received.position(received.position() + skipped);
                rest -= skipped;
                if (rest == 0) {
                    endValue();
                }
            } else {
                accept((char) (received.get() & 0xff));
            }
        }
    }

    private void accept(char next) throws IOException {
        if (type == 0) {
            begin(next);
        } else if (carriageReturn) {
            require(next == '\n', "a line that ends wrongly");
            endLine();
        } else if (next == '\r') {
            carriageReturn = true;
        } else {
            require(next != '\n', "a line that ends wrongly");
            require(++line <= MAX_LINE, "an endless line");
            if (LINES.indexOf(type) < 0) {
                digit(next);
            }
        }
    }

    private void begin(char next) throws IOException {
        require(LINES.indexOf(next) >= 0 || TEXTS.indexOf(next) >= 0 || isList(next), "no reply of a Redis server");
        type = next;
        line = 0;
        length = 0;
        negative = false;
        carriageReturn = false;
    }

    private static boolean isList(char type) {
        return LISTS.indexOf(type) >= 0 || type == MAP;
    }

    private void digit(char next) throws IOException {
        if (next == '-' && line == 1) {
            negative = true;
            return;
        }
        require(next >= '0' && next <= '9' && line <= MAX_DIGITS, "a length that is no number in range");
        length = length * 10 + (next - '0');
    }

    private void endLine() throws IOException {
        char ended = type;
        type = 0;
        count(line + 1L + END_OF_LINE);
        if (LINES.indexOf(ended) >= 0) {
            endValue();
            return;
        }
        require(negative ? length == 1 : line > 0, "a length that is no number in range");
        if (negative) {
            endValue();
        } else if (isList(ended)) {
            open(ended == MAP ? 2L * length : length);
        } else {
            count(length);
            rest = length + END_OF_LINE;
        }
    }

    private void open(long size) throws IOException {
        elements += size;
        require(elements <= MAX_ELEMENTS, "a list with too many elements");
        if (size == 0) {
            endValue();
            return;
        }
        require(depth < MAX_DEPTH, "lists that are nested too deep");
        missing[depth++] = (int) size;
    }

    private void endValue() {
        while (depth > 0 && --missing[depth - 1] == 0) {
            depth--;
        }
        if (depth == 0) {
            bytes = 0;
            elements = 0;
        }
    }

    private void count(long more) throws IOException {
        bytes += more;
        require(bytes <= MAX_BYTES, "an endless reply");
    }

    private static void require(boolean rule, String otherwise) throws IOException {
        if (!rule) {
            throw new IOException("the server sent " + otherwise);
        }
    }
}
