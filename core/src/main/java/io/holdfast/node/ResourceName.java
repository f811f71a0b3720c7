package io.holdfast.node;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * The keys of locks by their names. Different names have different keys, and no name has a key that Holdfast keeps
 * beside the locks.
 *
 * <ul>
 *   <li>A plain name is its own key, which other clients of Redlock use as well: up to 512 characters, without control
 *       characters, not beginning with {@code holdfast:} and without {@code :holdfast:}.
 *   <li>Any other name is escaped: {@code holdfast:name:} and the name, in which {@code %XX} stands for the bytes in
 *       UTF-8 of ASCII characters other than letters, digits and <code>-._~/@+=,;!*'()&amp;$?#</code>, and of control
 *       characters.
 *   <li>A name that is longer than 512 characters, also by its escapes, is replaced: {@code holdfast:digest:}, its
 *       SHA-256 in UTF-8 as 64 hexadecimal digits, a colon, and its first 40 characters, escaped in the same way.
 * </ul>
 */
public final class ResourceName {

    private static final int MAX_LENGTH = 512;

    /** Marks the keys that a node keeps beside the locks. */
    private static final String RESERVED = ":holdfast:";

    /** Begins the names of keys and channels that belong to a node as a whole, such as its marker. */
    private static final String RESERVED_PREFIX = "holdfast:";

    private static final String ESCAPED_PREFIX = RESERVED_PREFIX + "name:";
    private static final String DIGEST_PREFIX = RESERVED_PREFIX + "digest:";
    private static final int DIGEST_LENGTH = 64;
    private static final int SHOWN = 40;
    private static final String UNESCAPED = "-._~/@+=,;!*'()&$?#";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private ResourceName() {}

    /**
     * Returns the key of the lock with this name.
     *
     * @throws IllegalArgumentException if the name is empty, has half of a character, or is the key of another name
     */
    public static String key(String name) {
        if (given(name).isEmpty()) {
            throw new IllegalArgumentException("The name of a lock is empty; give one, such as \"order:42\"");
        }
        // Redis would store a question mark for half of a character, so that different names would be one lock.
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(
                    "The name of a lock is valid Unicode, but this one has half of a character: '"
                            + printable(name.replaceAll("\\p{Cs}", "?"))
                            + "'; correct the code that has cut it");
        }
        if (isUnusualKey(name)) {
            throw new IllegalArgumentException("'" + name + "' is the key of another name; give that name itself");
        }
        return isPlain(name) ? name : unusual(name);
    }

    private static String given(String name) {
        return Objects.requireNonNull(name, "resource is null; give a resource");
    }

    private static String unusual(String name) {
        String escaped = name.length() > MAX_LENGTH ? "" : escaped(name);
        return escaped.isEmpty() || escaped.length() > MAX_LENGTH ? digest(name) : ESCAPED_PREFIX + escaped;
    }

    /**
     * Returns the key, in one line, of the lock that a person has named: by its name, or by the key that a listing
     * shows.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static String listed(String nameOrKey) {
        return isUnusualKey(given(nameOrKey)) ? nameOrKey : key(nameOrKey);
    }

    /** Returns the name of the lock with this key; the key itself if it is that of a long name. */
    public static String name(String key) {
        return key.startsWith(ESCAPED_PREFIX) ? unescaped(key.substring(ESCAPED_PREFIX.length())) : key;
    }

    /** Returns {@code true} if a lock has this key. */
    public static boolean isKey(String key) {
        return !key.isEmpty()
                && StandardCharsets.UTF_8.newEncoder().canEncode(key)
                && (isPlain(key) || isUnusualKey(key));
    }

    /** Returns the text with question marks for control characters, for a message. */
    public static String printable(String text) {
        return text.replaceAll("\\p{Cc}", "?");
    }

    private static boolean isUnusualKey(String key) {
        return isDigest(key) || (key.startsWith(ESCAPED_PREFIX) && key.equals(ofEscaped(key)));
    }

    /** Returns the key of the name that an escaped key stands for; the empty text if it stands for none. */
    private static String ofEscaped(String key) {
        String name = name(key);
        return name.isEmpty() || isPlain(name) || isUnusualKey(name) ? "" : unusual(name);
    }

    private static boolean isPlain(String name) {
        return name.length() <= MAX_LENGTH
                && !name.contains(RESERVED)
                && !name.startsWith(RESERVED_PREFIX)
                && !hasControlCharacter(name);
    }

    private static boolean hasControlCharacter(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isDigest(String key) {
        int end = DIGEST_PREFIX.length() + DIGEST_LENGTH;
        return key.startsWith(DIGEST_PREFIX)
                && key.length() > end
                && key.charAt(end) == ':'
                && key.substring(DIGEST_PREFIX.length(), end).matches("[0-9A-F]*")
                && escaped(unescaped(key.substring(end + 1))).equals(key.substring(end + 1));
    }

    private static String digest(String name) {
        int end = Character.isHighSurrogate(name.charAt(SHOWN - 1)) ? SHOWN - 1 : SHOWN;
        return DIGEST_PREFIX + HEX.formatHex(sha256(name)) + ":" + escaped(name.substring(0, end));
    }

    private static byte[] sha256(String name) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static String escaped(String name) {
        StringBuilder text = new StringBuilder(name.length() + 16);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean stays = c < 0x80 ? isLetterOrDigit(c) || UNESCAPED.indexOf(c) >= 0 : !Character.isISOControl(c);
            if (stays) {
                text.append(c);
            } else {
                for (byte one : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
                    text.append('%').append(HEX.toHexDigits(one));
                }
            }
        }
        return text.toString();
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private static String unescaped(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < encoded.length; i++) {
            boolean isEscape = encoded[i] == '%'
                    && i + 2 < encoded.length
                    && HexFormat.isHexDigit(encoded[i + 1])
                    && HexFormat.isHexDigit(encoded[i + 2]);
            if (isEscape) {
                bytes.write(HexFormat.fromHexDigit(encoded[i + 1]) << 4 | HexFormat.fromHexDigit(encoded[i + 2]));
                i += 2;
            } else {
                bytes.write(encoded[i]);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
