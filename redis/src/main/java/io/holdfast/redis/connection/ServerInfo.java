package io.holdfast.redis.connection;

import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.ServerText;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The description of a server by itself, its reply to {@code INFO}. A proxy, a service or another product may leave out
 * or change each field, so none has a default: what is missing, empty or of another form is unknown.
 */
public record ServerInfo(Map<String, String> fields) {

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern REPLICATION_HISTORY = Pattern.compile("[0-9a-f]{40}");

    /** Returns what a reply to {@code INFO} says, or empty if it is no text. */
    public static Optional<ServerInfo> of(RedisReply reply) {
        return reply instanceof RedisReply.Value value && value.value() instanceof String text
                ? Optional.of(new ServerInfo(parsed(text)))
                : Optional.empty();
    }

    /** Returns the fields. A short process reads a hundred before its first claim; a loop takes a fifth of a stream. */
    private static Map<String, String> parsed(String info) {
        Map<String, String> fields = new HashMap<>();
        int end;
        for (int start = 0; start < info.length(); start = end + 1) {
            int newline = info.indexOf('\n', start);
            end = newline < 0 ? info.length() : newline;
            int colon = info.indexOf(':', start);
            if (colon > start && colon < end) {
                String value = info.substring(colon + 1, end).strip();
                fields.put(info.substring(start, colon), ServerText.line(value));
            }
        }
        return fields;
    }

    /** Returns a field, or empty if the server leaves it out or sends nothing in it. */
    public Optional<String> text(String field) {
        return Optional.ofNullable(fields.get(field)).filter(value -> !value.isEmpty());
    }

    /** Returns a field that contains a number, or empty if it does not. */
    public OptionalLong number(String field) {
        String value = fields.getOrDefault(field, "");
        return NUMBER.matcher(value).matches() ? OptionalLong.of(Long.parseLong(value)) : OptionalLong.empty();
    }

    /** Returns a field that is 0 or 1, or empty if it is neither. */
    public Optional<Boolean> flag(String field) {
        return text(field)
                .filter(value -> value.equals("0") || value.equals("1"))
                .map("1"::equals);
    }

    /**
     * Returns {@code true} if the server follows a master; {@code false} if it is a master; empty if it says neither.
     */
    Optional<Boolean> isReplica() {
        return text("role")
                .filter(role -> role.equals("master") || role.equals("slave") || role.equals("replica"))
                .map(role -> !role.equals("master"));
    }

    /** Returns the id of the server's process. */
    Optional<RunId> runId() {
        return text("run_id").flatMap(RunId::of);
    }

    /** Returns the history that the server followed before its last promotion, which changes with its role. */
    Optional<String> replicationHistory() {
        return text("master_replid2")
                .filter(id -> REPLICATION_HISTORY.matcher(id).matches());
    }
}
