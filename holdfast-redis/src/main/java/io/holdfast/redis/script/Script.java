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
 * A Lua script. It is called by its digest, and sent in full to a server that does not know it. Its file, and the parts that it includes
 * by {@code -- @include}, are read when it is first needed: a process that lives for one lock needs three of them.
 */
public final class Script {

    public static final Script ACQUIRE = new Script("acquire");
    public static final Script ACQUIRE_SHARED = new Script("acquire_shared");
    public static final Script EXTEND = new Script("extend");
    public static final Script EXTEND_SHARED = new Script("extend_shared");
    public static final Script EXTEND_ALL = new Script("extend_all");
    public static final Script REPAIR = new Script("repair");
    public static final Script REPAIR_SHARED = new Script("repair_shared");
    public static final Script RELEASE = new Script("release");
    public static final Script RELEASE_SHARED = new Script("release_shared");
    public static final Script PROBE = new Script("probe");

    /** A line of a script that stands for a file. */
    private static final Pattern INCLUDE = Pattern.compile("^-- @include (\\S+)\\n", Pattern.MULTILINE);

    private final String name;
    private volatile @Nullable Text text;

    private record Text(String source, String digest) {}

    private Script(String name) {
        this.name = name;
    }

    /** Reads it before it is needed. */
    public void prepare() {
        text();
    }

    private Text text() {
        Text known = text;
        if (known == null) {
            String source =
                    INCLUDE.matcher(file(name)).replaceAll(part -> Matcher.quoteReplacement(file(part.group(1))));
            known = new Text(source, sha1(source));
            text = known;
        }
        return known;
    }

    private static String file(String file) {
        return ClasspathText.read(Script.class, file + ".lua");
    }

    /** Runs it on the server, for one resource. */
    CompletionStage<RedisReply> on(RedisSession session, Keys keys, String... args) {
        return on(session, keys.all(), Arrays.asList(args));
    }

    /** The same, for a script that knows of shares. */
    CompletionStage<RedisReply> onShares(RedisSession session, Keys keys, String... args) {
        return on(session, keys.allWithShares(), Arrays.asList(args));
    }

    /**
     * Runs it on the server. The first time, and after a {@code SCRIPT FLUSH} or a restart, that takes a second command.
     * A command that was sent in between has then overtaken the script, which is why a release seals.
     */
    CompletionStage<RedisReply> on(RedisSession session, List<String> keys, List<String> args) {
        Text script = text();
        return session.send(command("EVALSHA", script.digest, keys, args)).thenCompose(answer -> {
            boolean unknown = answer instanceof RedisReply.ServerError error
                    && error.message().startsWith("NOSCRIPT");
            return unknown
                    ? session.send(command("EVAL", script.source, keys, args))
                    : CompletableFuture.completedFuture(answer);
        });
    }

    private static List<String> command(String name, String script, List<String> keys, List<String> args) {
        List<String> command = new ArrayList<>(3 + keys.size() + args.size());
        Collections.addAll(command, name, script, Integer.toString(keys.size()));
        command.addAll(keys);
        command.addAll(args);
        return command;
    }

    /** How Redis names scripts; nothing here depends on the strength of SHA-1. */
    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1", e);
        }
    }
}
