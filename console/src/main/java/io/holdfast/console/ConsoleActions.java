package io.holdfast.console;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.console.json.Json;
import io.holdfast.console.json.JsonTexts;
import io.holdfast.console.view.Board;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.Majority;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The actions of a viewer: breaks locks, admits servers, and plays with a demonstration. */
final class ConsoleActions {

    private static final int OK = 200;
    private static final int LONGEST_REASON = 300;
    private static final int LONGEST_NOTE = 1_000;

    private final LockAdmin admin;
    private final ConsoleOptions options;
    private final Board board;

    ConsoleActions(LockAdmin admin, ConsoleOptions options, Board board) {
        this.admin = admin;
        this.options = options;
        this.board = board;
    }

    ConsoleResponse post(ConsoleRequest request) {
        if (!isFromThisPage(request)) {
            return ConsoleResponse.problem(
                    403,
                    "Not from this page",
                    "send the header X-Holdfast-Console: 1 and Content-Type: application/json, from the same origin");
        }
        return switch (request.path()) {
            case "api/break" -> options.mayBreak() ? breakLock(request) : forbidden("breaking locks");
            case "api/admit" -> options.mayAdmit() ? admit(request) : forbidden("admitting servers");
            case "api/demo" ->
                options.demo().isPresent() ? act(options.demo().get(), request) : forbidden("a demonstration");
            default -> ConsoleResponse.problem(404, "Not found", "there is no such action");
        };
    }

    /** Another site can send neither the header nor this type without a permission, which it never gets. */
    private static boolean isFromThisPage(ConsoleRequest request) {
        boolean isMarked =
                request.header("X-Holdfast-Console").filter("1"::equals).isPresent()
                        && request.header("Content-Type")
                                .filter(type -> type.split(";", 2)[0].strip().equalsIgnoreCase("application/json"))
                                .isPresent();
        Optional<String> site = request.header("Sec-Fetch-Site");
        return isMarked
                && site.map("same-origin"::equals)
                        .orElseGet(() -> request.header("Origin")
                                .map(origin ->
                                        isOrigin(origin, request.header("Host").orElse("")))
                                .orElse(true));
    }

    private static boolean isOrigin(String origin, String host) {
        try {
            return host.equals(URI.create(origin).getAuthority());
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static ConsoleResponse forbidden(String what) {
        return ConsoleResponse.problem(403, "Switched off", what + " is not allowed in this console");
    }

    private static String field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("the field " + name + " is missing");
        }
        return value;
    }

    private static String reason(Map<String, String> fields) {
        return ClientDescription.shortened(field(fields, "reason").strip(), LONGEST_REASON);
    }

    private ConsoleResponse breakLock(ConsoleRequest request) {
        Map<String, String> fields = JsonTexts.parse(request.body());
        String name = field(fields, "name");
        String holder = field(fields, "holder");
        String reason = reason(fields);
        if (!name.equals(fields.get("confirm"))) {
            throw new IllegalArgumentException("the field confirm is not the name of the lock");
        }
        List<String> clients = List.of(fields.getOrDefault("clients", "").split(" "));
        LockStatus status = admin.status(name);
        if (status.held().filter(held -> wasSeen(held, holder, clients)).isEmpty()) {
            return ConsoleResponse.problem(
                    409,
                    "Another holder",
                    "the lock has another holder than the one that was seen, or none; of a shared lock, send the"
                            + " clients that were seen");
        }
        board.breaking(name, holder);
        String note = request.user() + " in the console: " + reason;
        boolean isBroken = false;
        try {
            List<NodeAnswer<Boolean>> answers = admin.breakLock(name, ClientDescription.shortened(note, LONGEST_NOTE));
            log("Lock '" + name + "' was taken from its holder " + holder + " by " + note);
            ConsoleResponse answer = answer(answers, status.isEndedBy(answers));
            isBroken = answer.status() == OK;
            return answer;
        } finally {
            if (!isBroken) {
                board.breaking(name, "");
            }
        }
    }

    /** All shared holds have the same mark, so one of the clients that were seen must still be there. */
    private static boolean wasSeen(NodeLockStatus held, String holder, List<String> clients) {
        return held.holder().equals(holder)
                && (held.shares() == 0
                        || held.clients().isEmpty()
                        || held.clients().stream().anyMatch(clients::contains));
    }

    private ConsoleResponse admit(ConsoleRequest request) {
        String reason = reason(JsonTexts.parse(request.body()));
        List<NodeAnswer<Boolean>> answers = admin.admit();
        log("Servers were admitted by " + request.user() + " in the console: " + reason + "; "
                + answers.stream()
                        .map(node -> node.node() + (node.isPresent() ? " votes" : ": " + node.error()))
                        .toList());
        long admitted = answers.stream().filter(NodeAnswer::isPresent).count();
        return answer(answers, Majority.isReachedBy(admitted, answers.size()));
    }

    /** A name of a lock may contain anything, so the line must not end early. */
    private void log(String line) {
        options.log().accept(ClientDescription.shortened(line, 2 * LONGEST_NOTE));
    }

    /** Returns what each node did; a failure if no majority did it. */
    private static ConsoleResponse answer(List<NodeAnswer<Boolean>> answers, boolean isQuorum) {
        if (!isQuorum) {
            return ConsoleResponse.problem(
                    503,
                    "Too few nodes",
                    answers.stream()
                            .filter(node -> !node.isPresent())
                            .map(node -> node.node() + ": " + node.error())
                            .toList()
                            .toString());
        }
        return ConsoleResponse.json(Json.object(Json.fields(
                "nodes",
                answers.stream()
                        .map(node -> Json.fields("node", node.node(), "done", node.isPresent(), "error", node.error()))
                        .toList())));
    }

    private static ConsoleResponse act(ConsoleDemo demo, ConsoleRequest request) {
        Map<String, String> fields = JsonTexts.parse(request.body());
        demo.act(field(fields, "action"), fields.getOrDefault("target", ""));
        return ConsoleResponse.json("{}");
    }
}
