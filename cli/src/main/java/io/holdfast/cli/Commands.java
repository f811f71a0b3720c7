package io.holdfast.cli;

import io.holdfast.cli.command.AcquireCommand;
import io.holdfast.cli.command.AdmitCommand;
import io.holdfast.cli.command.BreakCommand;
import io.holdfast.cli.command.Command;
import io.holdfast.cli.command.ConfigCommand;
import io.holdfast.cli.command.DoctorCommand;
import io.holdfast.cli.command.JobsCommand;
import io.holdfast.cli.command.KeepCommand;
import io.holdfast.cli.command.ListCommand;
import io.holdfast.cli.command.LocalCommand;
import io.holdfast.cli.command.LogCommand;
import io.holdfast.cli.command.MarkCommand;
import io.holdfast.cli.command.NodesCommand;
import io.holdfast.cli.command.PrintCommand;
import io.holdfast.cli.command.ReleaseCommand;
import io.holdfast.cli.command.RenewCommand;
import io.holdfast.cli.command.StatusCommand;
import io.holdfast.cli.command.WatchCommand;
import io.holdfast.cli.console.ConsoleCommand;
import io.holdfast.cli.demo.DemoCommand;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.run.RunCommand;
import io.holdfast.cli.syntax.CommandSpec;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All commands by name, in the order of the help. Creates only the command to execute, so that the start is short. */
final class Commands {

    private final Map<String, Supplier<Command>> commands = new LinkedHashMap<>();

    Commands(Terminal terminal, PrintStream out, String version) {
        commands.put("run", () -> new RunCommand(terminal));
        commands.put("acquire", () -> new AcquireCommand(terminal, out));
        commands.put("renew", () -> new RenewCommand(terminal, out));
        commands.put("keep", () -> new KeepCommand(terminal));
        commands.put("release", () -> new ReleaseCommand(terminal));
        commands.put("status", () -> new StatusCommand(terminal, out));
        commands.put("log", () -> new LogCommand(terminal, out));
        commands.put("jobs", () -> new JobsCommand(terminal, out));
        commands.put("mark", () -> new MarkCommand(terminal, out));
        commands.put("list", () -> new ListCommand(terminal, out));
        commands.put("watch", () -> new WatchCommand(terminal, out));
        commands.put("console", () -> new ConsoleCommand(terminal, out));
        commands.put("break", () -> new BreakCommand(terminal, out));
        commands.put("doctor", () -> new DoctorCommand(terminal, out));
        commands.put("admit", () -> new AdmitCommand(terminal, out));
        commands.put("nodes status", () -> NodesCommand.status(terminal, out));
        commands.put("nodes next", () -> NodesCommand.next(terminal, out));
        commands.put("nodes back", () -> NodesCommand.back(terminal, out));
        commands.put("config check", () -> new ConfigCommand(terminal, out));
        commands.put("local up", () -> new LocalCommand.Up(out));
        commands.put("local down", () -> new LocalCommand.Down(out));
        commands.put("local status", () -> new LocalCommand.Status(out));
        commands.put("demo", () -> new DemoCommand(terminal, out));
        commands.put("completion", () -> PrintCommand.completion(() -> specs(""), out));
        commands.put("man", () -> PrintCommand.manual(() -> specs(""), version, out));
    }

    /** Returns the command with this name, of one or two words, or null. */
    @Nullable
    Command find(String name) {
        Supplier<Command> command = commands.get(name);
        return command == null ? null : command.get();
    }

    Set<String> names() {
        return commands.keySet();
    }

    /** Returns the specs of the commands of this group, such as {@code local}; of all commands if the word is empty. */
    List<CommandSpec> specs(String firstWord) {
        return commands.entrySet().stream()
                .filter(command -> firstWord.isEmpty() || command.getKey().startsWith(firstWord + " "))
                .map(command -> command.getValue().get().spec())
                .toList();
    }
}
