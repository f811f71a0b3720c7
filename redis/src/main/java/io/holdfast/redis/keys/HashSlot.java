package io.holdfast.redis.keys;

import java.nio.charset.StandardCharsets;

/**
 * The slot of a Redis Cluster in which a key lies.
 *
 * @see <a href="https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#key-distribution-model">Key
 *     distribution</a>
 */
public final class HashSlot {

    static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;
    private static final String[] TAGS = tags();

    private HashSlot() {}

    /** Returns the slot of a key: the slot of its hash tag, if it has one. */
    public static int of(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        return crc(close > open + 1 ? key.substring(open + 1, close) : key) % COUNT;
    }

    /** Returns a hash tag that lies in the slot, for the keys that a shard keeps for all resources of the slot. */
    static String tag(int slot) {
        return TAGS[slot];
    }

    private static String[] tags() {
        String[] tags = new String[COUNT];
        int missing = COUNT;
        for (int i = 0; missing > 0; i++) {
            String tag = Integer.toString(i, Character.MAX_RADIX);
            int slot = crc(tag) % COUNT;
            if (tags[slot] == null) {
                tags[slot] = tag;
                missing--;
            }
        }
        return tags;
    }

    /** CRC-16/XMODEM. */
    private static int crc(String text) {
        int crc = 0;
        for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (next & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
            }
            crc &= 0xffff;
        }
        return crc;
    }
}
