package io.holdfast.redis.doctor;

import io.holdfast.node.Diagnosis;
import io.holdfast.node.Finding;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.client.RequiredAcl;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whether the user of a session may do on its server what a node needs, as far as that can be seen. */
final class AclCheck {

    private final RedisSession session;
    private final String user;
    private final List<String> uses;

    private AclCheck(RedisSession session, String user, List<String> uses) {
        this.session = session;
        this.user = user;
        this.uses = uses;
    }

    /**
     * Tries them.
     *
     * @param uses commands as a node uses them
     */
    static CompletionStage<Diagnosis> of(RedisSession session, List<String> uses) {
        return session.send(List.of("ACL", "WHOAMI"))
                .thenCompose(answer -> answer instanceof RedisReply.Value user
                        ? new AclCheck(session, String.valueOf(user.value()), uses).tried()
                        : CompletableFuture.completedFuture(new Diagnosis(Map.of(), unseen())));
    }

    private static List<Finding> unseen() {
        return List.of(Finding.note(
                "its user's rights cannot be seen", "grant +acl|whoami and +acl|dryrun to have them looked at"));
    }

    private CompletionStage<Diagnosis> tried() {
        List<CompletionStage<RedisReply>> tries = uses.stream()
                .map(use -> Stream.concat(Stream.of("ACL", "DRYRUN", user), Arrays.stream(use.split(" ", -1))))
                .map(command -> session.send(command.toList()))
                .toList();
        return RedisReplies.all(tries)
                .thenCompose(this::judged)
                .thenApply(findings -> new Diagnosis(Map.of("user", user), findings));
    }

    /** A dry run says OK, or what is missing. */
    private CompletionStage<List<Finding>> judged(List<RedisReply> answers) {
        if (answers.stream().noneMatch(RedisReply.Value.class::isInstance)) {
            return untried();
        }
        List<String> missing = IntStream.range(0, answers.size())
                .filter(i -> answers.get(i) instanceof RedisReply.Value said && !"OK".equals(said.value()))
                .mapToObj(i -> RequiredAcl.right(uses.get(i)))
                .toList();
        return CompletableFuture.completedFuture(missing.isEmpty() ? List.of() : lacks(missing));
    }

    private List<Finding> lacks(List<String> missing) {
        return List.of(Finding.error(
                "its user may not do all that a node needs, or not with the keys and channels of Holdfast",
                "ACL SETUSER " + user + " " + String.join(" ", missing)
                        + " ~holdfast:* &holdfast:inbox:*, and the key patterns of the locks"));
    }

    /** A server before 7.0 knows no dry run; but who may do everything needs none. */
    private CompletionStage<List<Finding>> untried() {
        return session.send(List.of("ACL", "LIST"))
                .thenApply(answer -> answer instanceof RedisReply.Value users
                                && users.value() instanceof List<?> lines
                                && lines.stream().anyMatch(line -> maySayAll(String.valueOf(line)))
                        ? List.of()
                        : List.of(Finding.note(
                                "its user's rights cannot be tried", "a server from 7.0 on can; grant +acl|dryrun")));
    }

    /** Of a line such as {@code user default on nopass ~* &* +@all}. */
    private boolean maySayAll(String line) {
        List<String> words = List.of(line.split(" ", -1));
        return line.startsWith("user " + user + " ")
                && words.containsAll(List.of("~*", "&*", "+@all"))
                && words.stream().noneMatch(word -> word.startsWith("-"));
    }
}
