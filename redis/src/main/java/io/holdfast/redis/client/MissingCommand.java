package io.holdfast.redis.client;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains which command a server lacks, because its configuration has renamed or disabled it. */
final class MissingCommand {

    /** Servers before 7.0 quote the name by a backtick. The arguments that follow may contain any text. */
    private static final Pattern UNKNOWN = Pattern.compile("^ERR unknown command ['`]([\\w|.-]{1,60})['`]");

    private static final Pattern UNKNOWN_IN_SCRIPT = Pattern.compile("Unknown Redis command called from (Lua )?script");

    private MissingCommand() {}

    /** Returns the missing command with the remedy; empty if the server reports another error. */
    static Optional<String> explain(String message) {
        Matcher unknown = UNKNOWN.matcher(message);
        if (unknown.find()) {
            String command = unknown.group(1).toUpperCase(Locale.ROOT);
            if (command.equals("SENTINEL")) {
                return Optional.of("not a Sentinel, since it knows no command SENTINEL; give the address of a Sentinel,"
                        + " whose usual port is 26379, or write redis://host:6379 for the server alone");
            }
            String withoutIt = command.startsWith("EVAL")
                    ? ", or add ?locks=transactions to its address in all clients, to use no scripts"
                    : "";
            return Optional.of("the server knows no command " + command + "; enable it there, if rename-command has"
                    + " disabled it" + withoutIt);
        }
        return UNKNOWN_IN_SCRIPT.matcher(message).find()
                ? Optional.of("the server lacks a command that scripts need; enable those that rename-command has"
                        + " disabled, which 'holdfast doctor' lists")
                : Optional.empty();
    }
}
