package io.holdfast.redis.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains which right a user of the server lacks, as far as the server's refusal says so. */
public final class MissingRight {

    /** The rules for keys that every client needs, where the lock is not known. */
    private static final String KEYS_OF_ALL_LOCKS = "~holdfast:* and the key patterns of the locks";

    /** Servers before 7.2 refuse a command of a script with {@code ERR The user executing the script can't …}. */
    private static final Pattern REFUSAL =
            Pattern.compile("^NOPERM|user executing the script can't|ACL failure in script");

    private static final Pattern COMMAND = Pattern.compile("run the '([\\w|.-]{1,60})' command");

    private MissingRight() {}

    /** Returns {@code true} if the server refused a command because the user lacks a right. */
    public static boolean isCauseOf(String message) {
        return REFUSAL.matcher(message).find();
    }

    /** Returns the missing right of a command whose keys are not known. */
    static String explain(String message) {
        return explain(message, KEYS_OF_ALL_LOCKS);
    }

    /**
     * Returns the missing right with the rule of {@code ACL SETUSER} that grants it.
     *
     * @param message the error of the server
     * @param keyRights the rules for the keys of the refused command
     */
    public static String explain(String message, String keyRights) {
        Matcher command = COMMAND.matcher(message);
        if (command.find()) {
            return "NOPERM: the user may not run '" + command.group(1) + "'; grant it +" + command.group(1);
        } else if (message.contains("channel")) {
            return "NOPERM: the user may not use the channels of Holdfast; grant it &holdfast:inbox:*";
        } else if (message.contains("key")) {
            return "NOPERM: the user may not use the keys; grant it " + keyRights;
        }
        return "NOPERM: the user may not do this; it needs " + RequiredAcl.text() + ", and " + keyRights;
    }
}
