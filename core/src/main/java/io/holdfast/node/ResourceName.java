package io.holdfast.node;

import java.nio.charset.StandardCharsets;

/** The rule for the name of a resource. */
public final class ResourceName {

    private static final int MAX_LENGTH = 512;

    /** Marks the keys that a node keeps beside the locks. */
    private static final String RESERVED = ":holdfast:";

    /** Begins the names of keys and channels that belong to a node as a whole, such as its marker. */
    private static final String RESERVED_PREFIX = "holdfast:";

    private ResourceName() {}

    /**
     * Returns the name if it is valid; see {@code Holdfast.lock} for the rule.
     *
     * @throws IllegalArgumentException if the name is blank, longer than 512 characters, has control characters, is not
     *     valid Unicode, or is reserved
     */
    public static String require(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("The name of a lock is blank; give one, such as \"order:42\"");
        }
        if (name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "The name of a lock has at most " + MAX_LENGTH + " characters, this one has " + name.length()
                            + ": '" + printable(name.substring(0, 40)) + "...'; use a digest of the name");
        }
        if (hasControlCharacter(name)) {
            throw new IllegalArgumentException("The name of a lock has no control characters, but this one has: '"
                    + printable(name) + "'; remove them");
        }
        // Redis would store a question mark for half of a character, so that different names would be one lock.
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(
                    "The name of a lock is valid Unicode, but this one has half of a character: '"
                            + name.replaceAll("\\p{Cs}", "?") + "'; correct the code that has cut it");
        }
        if (name.contains(RESERVED) || name.startsWith(RESERVED_PREFIX)) {
            throw new IllegalArgumentException("The name of a lock does not contain '" + RESERVED
                    + "' and does not begin with '" + RESERVED_PREFIX
                    + "', which mark what Holdfast keeps beside the locks; choose another than '" + name + "'");
        }
        return name;
    }

    private static String printable(String name) {
        return name.replaceAll("\\p{Cc}", "?");
    }

    private static boolean hasControlCharacter(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
