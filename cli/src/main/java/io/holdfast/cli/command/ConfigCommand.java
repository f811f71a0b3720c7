package io.holdfast.cli.command;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.option.Setting;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.console.json.Json;
import java.io.PrintStream;
import java.util.Locale;

/** The command {@code config check}: prints the settings, and the option, variable or file of each. */
public final class ConfigCommand implements Command {

    private static final CommandOption JSON =
            CommandOption.of("--json", "Print one object for each setting: name, value, source.");

    private final Terminal terminal;
    private final PrintStream out;

    public ConfigCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("config check", "Prints the settings of the servers and where each was taken from.")
                .with(JSON)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        An option has precedence over a variable, and a variable over the configuration
                        file. Asks no server, and prints no password.

                        Exit code: 0; 64 a setting is wrong.
                        """);
    }

    @Override
    public int run(Arguments arguments) {
        for (Setting setting : Setting.all(arguments)) {
            out.println(arguments.has(JSON) ? json(setting) : text(setting));
        }
        NodesOptions.check(arguments, terminal);
        return ExitCode.OK;
    }

    private static String json(Setting setting) {
        return Json.object(Json.fields("name", setting.name(), "value", setting.value(), "source", setting.source()));
    }

    private static String text(Setting setting) {
        String value = setting.value().isEmpty() ? "not set" : setting.value();
        String source = setting.source().isEmpty() ? "" : "  (" + setting.source() + ")";
        return String.format(Locale.ROOT, "%-18s  %s%s", setting.name(), value, source);
    }
}
