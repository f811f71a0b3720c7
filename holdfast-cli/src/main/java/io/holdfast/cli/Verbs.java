package io.holdfast.cli;

import io.holdfast.cli.line.Page;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All commands, by name, in the order of help. One is made when it is asked for: a start is what most users wait for. */
final class Verbs {

    private final Map<String, Supplier<Verb>> verbs = new LinkedHashMap<>();

    Verbs(Terminal terminal, PrintStream out) {
        verbs.put("run", () -> new RunCommand(terminal));
        verbs.put("acquire", () -> new AcquireCommand(terminal, out));
        verbs.put("renew", () -> new RenewCommand(terminal, out));
        verbs.put("release", () -> new ReleaseCommand(terminal));
        verbs.put("status", () -> new StatusCommand(terminal, out));
        verbs.put("list", () -> new ListCommand(terminal, out));
        verbs.put("watch", () -> new WatchCommand(terminal, out));
        verbs.put("break", () -> new BreakCommand(terminal, out));
        verbs.put("doctor", () -> new DoctorCommand(terminal, out));
        verbs.put("adopt", () -> new AdoptCommand(terminal, out));
        verbs.put("local up", () -> new LocalCommand.Up(out));
        verbs.put("local down", () -> new LocalCommand.Down(out));
        verbs.put("local status", () -> new LocalCommand.Status(out));
        verbs.put("demo", () -> new DemoCommand(terminal, out));
        verbs.put("completion", () -> new CompletionCommand(this, out));
        verbs.put("man", () -> new ManCommand(this, out));
    }

    /** The command of this name, of one or two words. */
    @Nullable
    Verb find(String name) {
        Supplier<Verb> verb = verbs.get(name);
        return verb == null ? null : verb.get();
    }

    Set<String> names() {
        return verbs.keySet();
    }

    /** Those whose name begins with this word; with an empty one all. */
    List<Page> pages(String firstWord) {
        return verbs.entrySet().stream()
                .filter(verb -> firstWord.isEmpty() || verb.getKey().startsWith(firstWord + " "))
                .map(verb -> verb.getValue().get().page())
                .toList();
    }
}
