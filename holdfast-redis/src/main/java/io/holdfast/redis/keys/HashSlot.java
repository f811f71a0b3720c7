package io.holdfast.redis.keys;

import java.nio.charset.StandardCharsets;

/**
 * Where a cluster keeps a key.
 *
 * @see <a href="https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#key-distribution-model">Key distribution</a>
 */
public final class HashSlot {

    static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;
    private static final String[] TAGS = tags();

    private HashSlot() {}

    /** The slot of a key: that of its hash tag, if it has one. */
    public static int of(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        return crc(close > open + 1 ? key.substring(open + 1, close) : key) % COUNT;
    }

    /** A word that lies in the slot: what a shard keeps for all its resources of one slot has it for its hash tag. */
    static String tag(int slot) {
        return TAGS[slot];
    }

    private static String[] tags() {
        String[] tags = new String[COUNT];
        int missing = COUNT;
        for (int i = 0; missing > 0; i++) {
            String word = Integer.toString(i, Character.MAX_RADIX);
            int slot = crc(word) % COUNT;
            if (tags[slot] == null) {
                tags[slot] = word;
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
