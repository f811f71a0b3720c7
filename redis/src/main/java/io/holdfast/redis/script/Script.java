package io.holdfast.redis.script;

import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.file.ClasspathText;
import io.holdfast.redis.keys.Keys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Lua script. A node calls it by its digest, and sends its text to a server that does not know it. The file, and the
 * files that it includes by {@code -- @include}, are read on first use: a process that takes one lock needs three
 * scripts. A build may have recorded the {@link #digests}, so that a short process reads no script at all.
 */
public final class Script {

    /** Each script adds itself. */
    private static final List<Script> ALL = new ArrayList<>();

    /** Takes an exclusive lock. */
    public static final Script ACQUIRE = new Script("acquire");
    /** Takes a shared hold. */
    public static final Script ACQUIRE_SHARED = new Script("acquire_shared");
    /** Asks whether a waiter should make another attempt. */
    public static final Script QUERY = new Script("query");
    /** Extends an exclusive lock. */
    public static final Script EXTEND = new Script("extend", Keys::forHolder);
    /** Extends a shared hold, or converts an exclusive one. */
    public static final Script EXTEND_SHARED = new Script("extend_shared");
    /** Takes and releases several exclusive locks. */
    public static final Script CLAIM_ALL = new Script("claim_all");
    /** Extends several exclusive locks. */
    public static final Script EXTEND_ALL = new Script("extend_all");
    /** Extends an exclusive lock or sets it again. */
    public static final Script REPAIR = new Script("repair", Keys::forHolder);
    /** Extends a shared hold or sets it again. */
    public static final Script REPAIR_SHARED = new Script("repair_shared");
    /** Releases an exclusive lock. */
    public static final Script RELEASE = new Script("release");
    /** Releases a shared hold. */
    public static final Script RELEASE_SHARED = new Script("release_shared");
    /** Ends an exclusive hold and retains the lock. */
    public static final Script RETAIN = new Script("retain");
    /** Ends a shared hold and retains it. */
    public static final Script RETAIN_SHARED = new Script("retain_shared");
    /** Reads the record beside a lock. */
    public static final Script READ_RECORD = new Script("read_record");
    /** Writes the record beside a lock. */
    public static final Script WRITE_RECORD = new Script("write_record");
    /** Lists a lock among those with a record, where the list is on another server than the lock. */
    public static final Script LIST_RECORD = new Script("list_record");
    /** Stores a note about a holder. */
    public static final Script ANNOTATE = new Script("annotate");
    /** Probes a node and advances its quarantine. */
    public static final Script PROBE = new Script("probe");
    /** Changes which clients a node accepts. */
    public static final Script AGREE = new Script("agree");

    private final String name;
    /** Selects the keys of a lock that the script needs. */
    private final Function<Keys, List<String>> keysOf;

    private volatile @Nullable String source;
    private volatile @Nullable String digest;

    /** The digests that the build of a command has recorded, in an optional file beside the scripts. */
    private static final class Recorded {

        private static final String FILE = "digests";
        private static final Map<String, String> DIGESTS = read();

        private static Map<String, String> read() {
            Map<String, String> digests = new HashMap<>();
            String lines = ClasspathText.find(Script.class, FILE).orElse("");
            for (String line : lines.lines().toList()) {
                int end = line.indexOf(' ');
                digests.put(line.substring(0, end), line.substring(end + 1));
            }
            return digests;
        }
    }

    private Script(String name) {
        this(name, Keys::forAll);
    }

    private Script(String name, Function<Keys, List<String>> keysOf) {
        this.name = name;
        this.keysOf = keysOf;
        ALL.add(this);
    }

    /** Returns the lines of the file {@code digests}, computed from the scripts: their names and digests. */
    public static List<String> digests() {
        return ALL.stream()
                .map(script -> script.name + " " + sha1(script.source()))
                .toList();
    }

    /** Finds the digest of the script before its first use. */
    public void prepare() {
        digest();
    }

    private String digest() {
        String known = digest;
        if (known == null) {
            String recorded = Recorded.DIGESTS.get(name);
            known = recorded != null ? recorded : sha1(source());
            digest = known;
        }
        return known;
    }

    private String source() {
        String known = source;
        if (known == null) {
            known = Source.read(name);
            source = known;
        }
        return known;
    }

    /** The texts of scripts, which a process that knows their digests may never need. */
    private static final class Source {

        /** A line of a script that is replaced by a file, or by the declaration of a constant. */
        private static final Pattern INSERT = Pattern.compile("^-- @(include|constant) (\\S+)\\n", Pattern.MULTILINE);

        private static String read(String file) {
            return INSERT.matcher(ClasspathText.read(Script.class, file + ".lua"))
                    .replaceAll(line -> Matcher.quoteReplacement(text(line.group(1), line.group(2))));
        }

        private static String text(String kind, String name) {
            return kind.equals("include")
                    ? read(name)
                    : ScriptConstant.valueOf(name).declaration();
        }
    }

    /**
     * A script with its keys and arguments.
     *
     * @param keys the keys, which the server needs to know
     * @param args the other arguments
     */
    record Call(Script script, List<String> keys, List<String> args) {

        /** Runs the script as {@link Script#run} does. */
        CompletionStage<RedisReply> on(RedisSession session) {
            return run(session, () -> this, () -> this);
        }

        /**
         * Runs the script on a server that does not know it. Its text is sent once: after a restart, the claims of
         * thousands of leases wait for it, and a slow client needs seconds to write it for each of them.
         */
        private CompletionStage<RedisReply> load(RedisSession session) {
            if (session.sendsFirst(script.digest())) {
                return sendText(session);
            }
            CompletionStage<RedisReply> answer = session.sendWhenWritten("EVALSHA", () -> arguments(script.digest()));
            return answer.thenCompose(reply -> isUnknown(reply) ? sendText(session) : answer);
        }

        private CompletionStage<RedisReply> sendText(RedisSession session) {
            return session.sendWhenWritten("EVAL", () -> arguments(script.source()));
        }

        private List<String> arguments(String first) {
            List<String> arguments = new ArrayList<>(2 + keys.size() + args.size());
            arguments.add(first);
            arguments.add(Integer.toString(keys.size()));
            // Without the copies that addAll makes.
            keys.forEach(arguments::add);
            args.forEach(arguments::add);
            return arguments;
        }
    }

    /** Returns a call of the script with the keys of a lock that it needs. */
    Call with(Keys keys, String... args) {
        return new Call(this, keysOf.apply(keys), Arrays.asList(args));
    }

    /** Runs the script. */
    CompletionStage<RedisReply> on(RedisSession session, List<String> keys, List<String> args) {
        return new Call(this, keys, args).on(session);
    }

    /**
     * Runs a script that is chosen when its command is written. The first run after a start or a {@code SCRIPT FLUSH}
     * of the server takes a second or third command. A command that is sent in between overtakes the script; therefore
     * a release seals its attempt.
     */
    static CompletionStage<RedisReply> run(RedisSession session, Supplier<Call> choice) {
        AtomicReference<@Nullable Call> chosen = new AtomicReference<>();
        Supplier<Call> first = () -> {
            Call call = choice.get();
            chosen.set(call);
            return call;
        };
        return run(session, first, chosen::get);
    }

    private static CompletionStage<RedisReply> run(
            RedisSession session, Supplier<Call> first, Supplier<@Nullable Call> sent) {
        CompletionStage<RedisReply> answer = session.sendWhenWritten("EVALSHA", () -> {
            Call call = first.get();
            return call.arguments(call.script.digest());
        });
        return answer.thenCompose(reply -> {
            Call call = isUnknown(reply) ? sent.get() : null;
            return call == null ? answer : call.load(session);
        });
    }

    private static boolean isUnknown(RedisReply reply) {
        return reply instanceof RedisReply.ServerError error && error.message().startsWith("NOSCRIPT");
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
