package io.holdfast.cli;

import io.holdfast.cli.command.AcquireCommand;
import io.holdfast.cli.command.AdmitCommand;
import io.holdfast.cli.command.BreakCommand;
import io.holdfast.cli.command.CompletionCommand;
import io.holdfast.cli.command.DemoCommand;
import io.holdfast.cli.command.DoctorCommand;
import io.holdfast.cli.command.ListCommand;
import io.holdfast.cli.command.LocalCommand;
import io.holdfast.cli.command.ManCommand;
import io.holdfast.cli.command.ReleaseCommand;
import io.holdfast.cli.command.RenewCommand;
import io.holdfast.cli.command.RunCommand;
import io.holdfast.cli.command.StatusCommand;
import io.holdfast.cli.command.WatchCommand;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All commands, by name, in the order of help. One is made when it is asked for: a start is what most users wait for. */
public final class Commands {

    private final Map<String, Supplier<Command>> verbs = new LinkedHashMap<>();

    Commands(Terminal terminal, PrintStream out) {
        verbs.put("run", () -> new RunCommand(terminal));
        verbs.put("acquire", () -> new AcquireCommand(terminal, out));
        verbs.put("renew", () -> new RenewCommand(terminal, out));
        verbs.put("release", () -> new ReleaseCommand(terminal));
        verbs.put("status", () -> new StatusCommand(terminal, out));
        verbs.put("list", () -> new ListCommand(terminal, out));
        verbs.put("watch", () -> new WatchCommand(terminal, out));
        verbs.put("break", () -> new BreakCommand(terminal, out));
        verbs.put("doctor", () -> new DoctorCommand(terminal, out));
        verbs.put("adopt", () -> new AdmitCommand(terminal, out));
        verbs.put("local up", () -> new LocalCommand.Up(out));
        verbs.put("local down", () -> new LocalCommand.Down(out));
        verbs.put("local status", () -> new LocalCommand.Status(out));
        verbs.put("demo", () -> new DemoCommand(terminal, out));
        verbs.put("completion", () -> new CompletionCommand(this, out));
        verbs.put("man", () -> new ManCommand(this, out));
    }

    /** The command of this name, of one or two words. */
    @Nullable
    Command find(String name) {
        Supplier<Command> verb = verbs.get(name);
        return verb == null ? null : verb.get();
    }

    Set<String> names() {
        return verbs.keySet();
    }

    /** Those whose name begins with this word; with an empty one all. */
    public List<CommandSpec> pages(String firstWord) {
        return verbs.entrySet().stream()
                .filter(verb -> firstWord.isEmpty() || verb.getKey().startsWith(firstWord + " "))
                .map(verb -> verb.getValue().get().page())
                .toList();
    }
}
