package io.holdfast.redis.script;

import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.keys.ClasspathText;
import io.holdfast.redis.keys.Keys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Lua script. A node calls it by its digest, and sends its text to a server that does not know it. The file, and the
 * files that it includes by {@code -- @include}, are read on first use: a process that takes one lock needs three
 * scripts.
 */
public final class Script {

    /** Takes an exclusive lock. */
    public static final Script ACQUIRE = new Script("acquire");
    /** Takes a shared hold. */
    public static final Script ACQUIRE_SHARED = new Script("acquire_shared");
    /** Extends an exclusive lock. */
    public static final Script EXTEND = new Script("extend");
    /** Extends a shared hold, or converts an exclusive one. */
    public static final Script EXTEND_SHARED = new Script("extend_shared");
    /** Extends several exclusive locks. */
    public static final Script EXTEND_ALL = new Script("extend_all");
    /** Extends an exclusive lock or sets it again. */
    public static final Script REPAIR = new Script("repair");
    /** Extends a shared hold or sets it again. */
    public static final Script REPAIR_SHARED = new Script("repair_shared");
    /** Releases an exclusive lock. */
    public static final Script RELEASE = new Script("release");
    /** Releases a shared hold. */
    public static final Script RELEASE_SHARED = new Script("release_shared");
    /** Probes a node and advances its quarantine. */
    public static final Script PROBE = new Script("probe");

    /** A line of a script that is replaced by a file. */
    private static final Pattern INCLUDE = Pattern.compile("^-- @include (\\S+)\\n", Pattern.MULTILINE);

    private final String name;
    private volatile @Nullable Text text;

    private record Text(String source, String digest) {}

    private Script(String name) {
        this.name = name;
    }

    /** Reads the script before its first use. */
    public void prepare() {
        text();
    }

    private Text text() {
        Text known = text;
        if (known == null) {
            String source =
                    INCLUDE.matcher(file(name)).replaceAll(line -> Matcher.quoteReplacement(file(line.group(1))));
            known = new Text(source, sha1(source));
            text = known;
        }
        return known;
    }

    private static String file(String file) {
        return ClasspathText.read(Script.class, file + ".lua");
    }

    /** Runs the script with the keys of an exclusive lock. */
    CompletionStage<RedisReply> on(RedisSession session, Keys keys, String... args) {
        return on(session, keys.forExclusive(), Arrays.asList(args));
    }

    /** Runs the script with the keys of a shared lock. */
    CompletionStage<RedisReply> onShared(RedisSession session, Keys keys, String... args) {
        return on(session, keys.forShared(), Arrays.asList(args));
    }

    /**
     * Runs the script. The first run after a start or a {@code SCRIPT FLUSH} of the server takes a second command. A
     * command that is sent in between overtakes the script; therefore a release seals its attempt.
     */
    CompletionStage<RedisReply> on(RedisSession session, List<String> keys, List<String> args) {
        Text script = text();
        return session.send(command("EVALSHA", script.digest, keys, args)).thenCompose(reply -> {
            boolean unknown = reply instanceof RedisReply.ServerError error
                    && error.message().startsWith("NOSCRIPT");
            return unknown
                    ? session.send(command("EVAL", script.source, keys, args))
                    : CompletableFuture.completedFuture(reply);
        });
    }

    private static List<String> command(String name, String script, List<String> keys, List<String> args) {
        List<String> command = new ArrayList<>(3 + keys.size() + args.size());
        Collections.addAll(command, name, script, Integer.toString(keys.size()));
        command.addAll(keys);
        command.addAll(args);
        return command;
    }

    /** Returns the digest by which Redis names a script. Its cryptographic strength does not matter here. */
    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1", e);
        }
    }
}
