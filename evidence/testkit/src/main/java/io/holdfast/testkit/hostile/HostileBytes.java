package io.holdfast.testkit.hostile;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Makes the bytes that a hostile server sends in place of a reply. */
final class HostileBytes {

    /** The length of a part of a reply without an end. */
    private static final int PART = 1 << 16;

    private static final byte[] NOTHING = {};

    private static final List<String> LENGTHS = List.of(
            "2147483647", "2147483648", "536870912", "99999999999999999999", "-2", "-2147483648", "1x", "", "?");

    private static final String TYPES = "$*%~>!=|";

    private final Random random;
    private final HostileValues values;

    HostileBytes(Random random) {
        this.random = random;
        this.values = new HostileValues(random);
    }

    /**
     * The bytes that a server sends, perhaps without end; afterwards it is silent or ends the connection.
     *
     * @param once what is sent first
     * @param endless what is sent again and again afterwards; empty for nothing
     * @param ends whether the server ends the connection afterwards
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Sent(byte[] once, byte[] endless, boolean ends) {}

    /** Returns what is sent in place of the honest reply. */
    Sent insteadOf(byte[] honest) {
        return switch (random.nextInt(11)) {
            case 0 -> once(cut(honest), random.nextBoolean());
            case 1 -> once(ascii(type() + LENGTHS.get(random.nextInt(LENGTHS.size())) + "\r\nabc"), false);
            case 2 -> once(ascii("*1\r\n".repeat(1 + random.nextInt(20_000))), false);
            case 3 -> once(ascii("*1000000\r\n".repeat(1 + random.nextInt(2_000))), false);
            case 4 -> new Sent(ascii("+"), ascii("a".repeat(PART)), false);
            case 5 -> new Sent(ascii("*1000000\r\n"), ascii(":1\r\n".repeat(PART / 4)), false);
            case 6 -> once(mutated(honest), false);
            case 7 -> once(garbage(), random.nextBoolean());
            case 8 -> once(joined(honest, encoded(values.value(0))), false);
            case 9 -> once(pushed(), false);
            default -> once(encoded(values.value(0)), false);
        };
    }

    static Sent once(byte[] bytes, boolean ends) {
        return new Sent(bytes, NOTHING, ends);
    }

    private String type() {
        return TYPES.substring(random.nextInt(TYPES.length())).substring(0, 1);
    }

    private byte[] cut(byte[] honest) {
        return Arrays.copyOf(honest, random.nextInt(Math.max(1, honest.length)));
    }

    private byte[] mutated(byte[] honest) {
        byte[] changed = honest.clone();
        for (int i = 1 + random.nextInt(3); i > 0 && changed.length > 0; i--) {
            changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
        }
        return changed;
    }

    private byte[] garbage() {
        byte[] bytes = new byte[1 + random.nextInt(2_000)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Returns many messages that no client has subscribed to, or that look as if it had. */
    private byte[] pushed() {
        StringBuilder messages = new StringBuilder();
        for (int i = random.nextInt(200); i > 0; i--) {
            String message = values.message();
            String kind = random.nextInt(4) == 0 ? "subscribe" : "message";
            messages.append(">3\r\n")
                    .append(bulk(kind))
                    .append(bulk("holdfast:inbox:x"))
                    .append(bulk(message));
        }
        return messages.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Returns the value in RESP3. */
    static byte[] encoded(@Nullable Object value) {
        return text(value).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(@Nullable Object value) {
        if (value instanceof List<?> list) {
            StringBuilder all = new StringBuilder("*" + list.size() + "\r\n");
            list.forEach(item -> all.append(text(item)));
            return all.toString();
        } else if (value instanceof Long number) {
            return ":" + number + "\r\n";
        } else if (value instanceof Double number) {
            return "," + number + "\r\n";
        } else if (value instanceof Boolean truth) {
            return truth ? "#t\r\n" : "#f\r\n";
        }
        return value == null ? "_\r\n" : bulk(value.toString());
    }

    static String bulk(String text) {
        return "$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n";
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
