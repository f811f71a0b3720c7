package io.holdfast.redis.client;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Explains the errors of a server, with their remedies. */
public final class ServerErrors {

    /** An error code. Servers before 7.0 wrap it: {@code ERR Error running script (…): @user_script:5: WRONGTYPE …}. */
    private static final Pattern CODE = Pattern.compile("\\b([A-Z]{3,})\\b");

    private static final Map<String, String> REMEDIES = Map.ofEntries(
            Map.entry(
                    "WRONGTYPE",
                    "the key holds something other than a lock; another program uses the name, so give the lock"
                            + " another one"),
            Map.entry(
                    "OOM", "the server is out of memory; raise its maxmemory, and keep maxmemory-policy at noeviction"),
            Map.entry(
                    "NOAUTH",
                    "the server requires a password; add user and password to its address, or give the command"
                            + " HOLDFAST_PASSWORD or --password-file"),
            Map.entry(
                    "WRONGPASS",
                    "the user or the password is wrong; within an address, special characters are written as %XX"),
            Map.entry("READONLY", "this is a replica; give the address of its master"),
            Map.entry("MISCONF", "the server cannot save its data and refuses to write; see its log and its disk"),
            Map.entry("LOADING", "the server is loading its data; it votes once that is done"),
            Map.entry("BUSY", "another client's script blocks the server; SCRIPT KILL ends it"),
            Map.entry("MOVED", "this is one shard of a cluster; give independent masters"),
            Map.entry("CLUSTERDOWN", "the cluster is down"),
            Map.entry("CROSSSLOT", "this is one shard of a cluster; give independent masters"));

    /** The remedies for a Sentinel, where they are not those for a node. */
    private static final Map<String, String> REMEDIES_FOR_SENTINELS = Map.of(
            "NOAUTH",
            "the Sentinel requires a password; set sentinelCredentials, or give the command"
                    + " HOLDFAST_SENTINEL_PASSWORD or --sentinel-password-file",
            "WRONGPASS",
            "the user or the password of the Sentinels is wrong, which is not that of the master; correct"
                    + " sentinelCredentials, or what the command is given",
            "NOPERM",
            "the user of the Sentinels may not ask for the master; grant it"
                    + " +sentinel|get-master-addr-by-name +hello +auth");

    /** The remedies for a shard of the cluster that is a node, where they are not those for a node. */
    private static final Map<String, String> REMEDIES_FOR_SHARDS = Map.of(
            "READONLY", "this is a replica; the cluster is asked for its masters",
            "MOVED", "another shard of the cluster serves the slot of this name now",
            "CROSSSLOT", "the keys of the command are in several slots of the cluster");

    /** A part of each error that has no code of its own and does not end by itself, with the remedy. */
    private static final Map<String, String> LASTING_TEXTS = Map.of(
            "DB index is out of range",
            "the server has no database of this number; correct the number behind the host, or leave it out",
            "SELECT is not allowed in cluster mode",
            "this is one shard of a cluster; give independent masters",
            "cluster support disabled",
            "the server is no shard of a cluster; write redis://host:6379, or rediss:// with TLS");

    /** The errors of a server that is no longer the one that the address names. */
    private static final Set<String> WRONG_SERVER = Set.of("READONLY", "MOVED");

    /**
     * The errors that do not end by themselves. A replica may be promoted, but it is not what the address should name.
     */
    private static final Set<String> LASTING =
            Set.of("WRONGTYPE", "NOAUTH", "WRONGPASS", "READONLY", "MOVED", "CROSSSLOT");

    private static final String SLOT_MOVES =
            "the cluster is moving the slot of this name to another shard; try again when"
                    + " it has moved; redis-cli --cluster fix ends a move that was interrupted";

    /**
     * The errors of a shard of a cluster that does not serve the slot of a command at present. They end by themselves.
     */
    private static final Map<String, String> ERRORS_OF_SHARDS = Map.of(
            "MOVED",
            "another shard of the cluster serves the slot of this name now; the next attempt goes there",
            "ASK",
            SLOT_MOVES,
            "TRYAGAIN",
            SLOT_MOVES,
            "CLUSTERDOWN",
            "the cluster is down, or no shard serves the slot of this name; see CLUSTER INFO");

    private ServerErrors() {}

    /**
     * Returns {@code true} if the error shows that the server cannot be a node, such as a master that became a replica.
     */
    public static boolean isWrongServer(String message) {
        return CODE.matcher(message).results().anyMatch(code -> WRONG_SERVER.contains(code.group()));
    }

    /**
     * Returns {@code true} if waiting does not help, as with a wrong password: an administrator has to change
     * something.
     */
    public static boolean isLasting(String message) {
        return MissingRight.isCauseOf(message)
                || MissingCommand.explain(message).isPresent()
                || LASTING_TEXTS.keySet().stream().anyMatch(message::contains)
                || CODE.matcher(message).results().anyMatch(code -> LASTING.contains(code.group()));
    }

    /** Returns the remedy for the error of a server of this role, as {@link #explain(String)} does for a node. */
    public static String explain(String message, ServerAddress.Role role) {
        if (role == ServerAddress.Role.SHARD && message.contains("SELECT is not allowed in cluster mode")) {
            return "a cluster has no databases; remove the number behind the host";
        }
        Map<String, String> remedies = switch (role) {
            case NODE -> Map.of();
            case SENTINEL -> REMEDIES_FOR_SENTINELS;
            case SHARD -> REMEDIES_FOR_SHARDS;
        };
        Matcher code = CODE.matcher(message);
        @Nullable String remedy = code.lookingAt() ? remedies.get(code.group()) : null;
        return remedy == null ? explain(message) : code.group() + ": " + remedy;
    }

    /** Returns the remedy with the error code, or the first line of the message if no remedy is known. */
    public static String explain(String message) {
        if (MissingRight.isCauseOf(message)) {
            return MissingRight.explain(message);
        }
        // The arguments that the server repeats may look like another error.
        return MissingCommand.explain(message).orElseGet(() -> explainByCode(message));
    }

    /**
     * Explains the error with which a shard of a cluster replies while it does not serve the slot of the command. Empty
     * for other errors.
     */
    public static Optional<String> explainOfShard(String message) {
        return ERRORS_OF_SHARDS.entrySet().stream()
                .filter(error -> message.startsWith(error.getKey() + " "))
                .findFirst()
                .map(error -> error.getKey() + ": " + error.getValue());
    }

    private static String explainByCode(String message) {
        Matcher codes = CODE.matcher(message);
        while (codes.find()) {
            @Nullable String remedy = REMEDIES.get(codes.group());
            if (remedy != null) {
                return codes.group() + ": " + remedy;
            }
        }
        String line = ServerText.line(message);
        String remedy = LASTING_TEXTS.entrySet().stream()
                .filter(text -> line.contains(text.getKey()))
                .map(text -> ": " + text.getValue())
                .findFirst()
                .orElse("");
        return line.isEmpty() ? "the server replied with an empty error" : line + remedy;
    }
}
