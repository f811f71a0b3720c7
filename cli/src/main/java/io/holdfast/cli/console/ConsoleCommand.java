package io.holdfast.cli.console;

import io.holdfast.Holdfast;
import io.holdfast.cli.command.Command;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.HolderNote;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.console.Console;
import io.holdfast.console.ConsoleOptions;
import io.holdfast.console.ConsoleServer;
import io.holdfast.lease.ClientDescription;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The command {@code console}: serves a page that shows the locks while they change. */
public final class ConsoleCommand implements Command {

    private static final CommandOption LISTEN = CommandOption.of(
            "--listen",
            "HOST:PORT",
            "Where to serve the page. Default: 127.0.0.1:7480, or another port if that is taken. Beyond this machine,"
                    + " viewers need a token.");
    private static final CommandOption TOKEN_FILE = CommandOption.of(
            "--token-file",
            "FILE",
            "A file with the token, at least 16 characters. Default: with --listen beyond this machine, a new one,"
                    + " which is printed.");
    private static final CommandOption ALLOW_BREAK =
            CommandOption.of("--allow-break", "Let viewers take a lock from its holder; each time is printed.");
    private static final CommandOption ALLOW_ADMIT =
            CommandOption.of("--allow-admit", "Let viewers admit new servers, as `admit` does; each time is printed.");
    private static final CommandOption DEMO = CommandOption.of(
            "--demo", "Show servers, clients and jobs of its own, which the page can kill, freeze and restart.");

    private final Terminal terminal;
    private final PrintStream out;

    public ConsoleCommand(Terminal terminal, PrintStream out) {
        this.terminal = terminal;
        this.out = out;
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("console", "Serves a page that shows locks, waiters, jobs and servers as they change.")
                .with(LISTEN, TOKEN_FILE, ALLOW_BREAK, ALLOW_ADMIT, DEMO)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        Prints the address of the page, and serves it until it is stopped. Servers are
                        asked only while a viewer looks. Use a proxy with TLS in front of it beyond
                        trusted networks.

                        Exit code: 64 wrong options, or the address is taken; 128+n if signal n ended
                        it.
                        """);
    }

    @Override
    public int run(Arguments arguments) throws IOException, InterruptedException {
        terminal.hideLog();
        Optional<InetSocketAddress> given = arguments.value(LISTEN, ListenAddress::parse);
        Optional<String> token = token(arguments, given);
        if (arguments.has(DEMO)) {
            requireOnlyDemo(arguments);
            try (DemoStage stage = DemoStage.start();
                    Holdfast holdfast = stage.connect();
                    Console console = Console.of(holdfast, options(arguments).with(stage))) {
                serve(console, given, token);
            }
        } else {
            try (Holdfast holdfast = NodesOptions.connectForAdmin(arguments, terminal);
                    Console console = Console.of(holdfast, options(arguments))) {
                serve(console, given, token);
            }
        }
        return ExitCode.OK;
    }

    /** A demonstration has servers of its own. */
    private static void requireOnlyDemo(Arguments arguments) {
        NodesOptions.OPTIONS.stream().filter(arguments::has).findFirst().ifPresent(other -> {
            throw new Failure(
                    ExitCode.USAGE, DEMO.name() + " and " + other.name() + " exclude each other; use one of them");
        });
    }

    private ConsoleOptions options(Arguments arguments) {
        return ConsoleOptions.readOnly("holdfast console@" + ClientDescription.host())
                .allowing(arguments.has(ALLOW_BREAK), arguments.has(ALLOW_ADMIT))
                .logTo(terminal::print);
    }

    private Optional<String> token(Arguments arguments, Optional<InetSocketAddress> address) {
        Optional<String> inFile = arguments.value(TOKEN_FILE, file -> ConsoleToken.read(Path.of(file), terminal));
        boolean isLocal = address.orElse(ListenAddress.DEFAULT).getAddress().isLoopbackAddress();
        return inFile.isPresent() || isLocal ? inFile : Optional.of(ConsoleToken.generate());
    }

    private void serve(Console console, Optional<InetSocketAddress> given, Optional<String> token)
            throws IOException, InterruptedException {
        try (ConsoleServer server = start(console, given, token)) {
            out.println(server.uri());
            out.flush();
            new CountDownLatch(1).await();
        }
    }

    private static ConsoleServer start(Console console, Optional<InetSocketAddress> given, Optional<String> token)
            throws IOException {
        InetSocketAddress address = given.orElse(ListenAddress.DEFAULT);
        try {
            return ConsoleServer.start(console, address, token, HolderNote.user());
        } catch (BindException taken) {
            if (given.isEmpty()) {
                InetSocketAddress free = new InetSocketAddress(address.getAddress(), 0);
                return ConsoleServer.start(console, free, token, HolderNote.user());
            }
            throw new Failure(ExitCode.USAGE, "--listen: cannot use " + address + ": " + taken.getMessage());
        }
    }
}
