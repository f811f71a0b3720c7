package io.holdfast;

/** The rule for the name of a resource. */
final class Resources {

    private static final int MAX_LENGTH = 512;

    /** What marks the names that a node uses beside the locks. */
    private static final String RESERVED = ":holdfast:";

    private Resources() {}

    static String require(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("The name of a lock is empty; give one, such as \"order:42\"");
        }
        if (name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "The name of a lock has at most " + MAX_LENGTH + " characters, this one has " + name.length()
                            + ": '" + name.substring(0, 40) + "…'; use a digest of what it stands for");
        }
        if (name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The name of a lock has no control characters, but this one has: '"
                    + name.replaceAll("\\p{Cntrl}", "?") + "'; remove them");
        }
        if (name.contains(RESERVED)) {
            throw new IllegalArgumentException("The name of a lock does not contain '" + RESERVED
                    + "', which marks what Holdfast keeps beside the locks; choose another than '" + name + "'");
        }
        return name;
    }
}
