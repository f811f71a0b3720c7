package io.holdfast.redis.doctor;

import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.client.ServerText;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Checks whether the user of a session has the permissions that a node needs, as far as the server shows them. */
record AclCheck(RedisSession session, String user, List<String> commands) {

    /** The reply of a dry run of a command that rename-command has disabled. */
    private static final Pattern UNKNOWN = Pattern.compile("^ERR Command '.*' not found");

    /**
     * Checks the commands by {@code ACL DRYRUN}.
     *
     * @param commands an example of each command that a node sends
     */
    static CompletionStage<Diagnosis> of(RedisSession session, List<String> commands) {
        return session.send(List.of("ACL", "WHOAMI"))
                .thenCompose(reply -> reply instanceof RedisReply.Value user
                        ? new AclCheck(session, ServerText.line(String.valueOf(user.value())), commands).dryRun()
                        : CompletableFuture.completedFuture(new Diagnosis(Map.of(), notVisible(reply))));
    }

    private static List<Finding> notVisible(RedisReply reply) {
        return List.of(
                reply instanceof RedisReply.NoReply none
                        ? Finding.note("its user's rights cannot be seen: " + none.cause(), "examine it again")
                        : Finding.note(
                                "its user's rights cannot be seen",
                                "grant +acl|whoami and +acl|dryrun to have them checked"));
    }

    private CompletionStage<Diagnosis> dryRun() {
        List<CompletionStage<RedisReply>> replies = commands.stream()
                .map(example -> Stream.concat(Stream.of("ACL", "DRYRUN", user), Arrays.stream(example.split(" ", -1))))
                .map(command -> session.send(command.toList()))
                .toList();
        return RedisReplies.all(replies)
                .thenCompose(this::findings)
                .thenApply(findings -> new Diagnosis(Map.of("user", user), findings));
    }

    /** Returns findings for what is missing. A dry run replies OK or the reason for a rejection. */
    private CompletionStage<List<Finding>> findings(List<RedisReply> replies) {
        if (replies.stream().noneMatch(RedisReply.Value.class::isInstance)) {
            return withoutDryRun();
        }
        List<String> forbidden =
                those(replies, reply -> reply instanceof RedisReply.Value outcome && !"OK".equals(outcome.value()));
        List<String> unknown = those(
                replies,
                reply -> reply instanceof RedisReply.ServerError error
                        && UNKNOWN.matcher(error.message()).find());
        return CompletableFuture.completedFuture(Stream.of(missingCommands(unknown), missingPermissions(forbidden))
                .flatMap(List::stream)
                .toList());
    }

    /** Returns the permissions of the commands to which the server has replied so. */
    private List<String> those(List<RedisReply> replies, Predicate<RedisReply> condition) {
        return IntStream.range(0, replies.size())
                .filter(i -> condition.test(replies.get(i)))
                .mapToObj(i -> RequiredAcl.permission(commands.get(i)))
                .toList();
    }

    private static List<Finding> missingCommands(List<String> permissions) {
        return permissions.isEmpty()
                ? List.of()
                : List.of(Finding.error(
                        "it lacks commands that a node needs: "
                                + String.join(" ", permissions).replace("+", ""),
                        "remove the lines with rename-command from its configuration that disable them"));
    }

    private List<Finding> missingPermissions(List<String> missing) {
        return missing.isEmpty()
                ? List.of()
                : List.of(Finding.error(
                        "its user may not do all that a node needs, or not with the keys and channels of Holdfast",
                        "ACL SETUSER " + user + " " + String.join(" ", missing)
                                + " ~holdfast:* &holdfast:inbox:*, and the key patterns of the locks"));
    }

    /** Servers before 7.0 have no dry run. A user with all permissions needs none. */
    private CompletionStage<List<Finding>> withoutDryRun() {
        return session.send(List.of("ACL", "LIST"))
                .thenApply(reply -> reply instanceof RedisReply.Value users
                                && users.value() instanceof List<?> lines
                                && lines.stream().anyMatch(line -> mayDoAll(String.valueOf(line)))
                        ? List.of()
                        : List.of(Finding.note(
                                "its user's rights cannot be tried", "a server from 7.0 on can; grant +acl|dryrun")));
    }

    /** Returns {@code true} for a line such as {@code user default on nopass ~* &* +@all}. */
    private boolean mayDoAll(String line) {
        List<String> words = List.of(line.split(" ", -1));
        return line.startsWith("user " + user + " ")
                && words.containsAll(List.of("~*", "&*", "+@all"))
                && words.stream().noneMatch(word -> word.startsWith("-"));
    }
}
