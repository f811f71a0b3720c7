package io.holdfast.redis;

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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A script, made of files beside this class, called by its digest and sent in full to a server that does not know it. Read when it
 * is first needed: a process that lives for one lock needs three of them.
 */
final class Script {

    static final Script ACQUIRE =
            new Script("common", "hold", "alone", "acquire", "judge", "objection", "line", "acquire_in_line");
    static final Script ACQUIRE_SHARE =
            new Script("common", "hold", "judge", "objection", "prolong", "shares", "line", "called", "acquire_share");
    static final Script EXTEND = new Script("common", "prolong", "extend");
    static final Script EXTEND_SHARE = new Script(
            "common", "hold", "judge", "prolong", "shares", "line", "called", "prolong_share", "extend_share");
    static final Script EXTEND_ALL = new Script("prolong", "extend_all");
    static final Script REPAIR = new Script("common", "hold", "judge", "objection", "alone", "prolong", "repair");
    static final Script REPAIR_SHARE = new Script(
            "common",
            "hold",
            "judge",
            "objection",
            "prolong",
            "shares",
            "line",
            "called",
            "prolong_share",
            "repair_share");
    static final Script RELEASE =
            new Script("common", "release", "judge", "line", "called", "pass_on", "release_in_line");
    static final Script RELEASE_SHARE =
            new Script("common", "hold", "judge", "prolong", "shares", "line", "called", "pass_on", "release_share");
    static final Script WATCH = new Script("common", "watch");

    private final List<String> parts;
    private volatile @Nullable Text text;

    private record Text(String source, String digest) {}

    private Script(String... parts) {
        this.parts = List.of(parts);
    }

    /** Reads it before it is needed. */
    void prepare() {
        text();
    }

    private Text text() {
        Text known = text;
        if (known == null) {
            String source =
                    parts.stream().map(part -> Resource.read(part + ".lua")).collect(Collectors.joining());
            known = new Text(source, sha1(source));
            text = known;
        }
        return known;
    }

    /** Runs it on the server, for one resource. */
    CompletionStage<Answer> on(RedisSession session, Keys keys, String... args) {
        return on(session, keys.all(), Arrays.asList(args));
    }

    /** The same, for a script that knows of shares. */
    CompletionStage<Answer> onShares(RedisSession session, Keys keys, String... args) {
        return on(session, keys.allWithShares(), Arrays.asList(args));
    }

    /**
     * Runs it on the server. The first time, and after a {@code SCRIPT FLUSH} or a restart, that takes a second command.
     * A command that was sent in between has then overtaken the script, which is why a release seals.
     */
    CompletionStage<Answer> on(RedisSession session, List<String> keys, List<String> args) {
        Text script = text();
        return session.send(command("EVALSHA", script.digest, keys, args)).thenCompose(answer -> {
            boolean unknown = answer instanceof Answer.ServerError error
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
