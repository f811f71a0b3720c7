package io.holdfast.cli.console;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address at which the console is served. */
final class ListenAddress {

    /** The address of the console, unless another program uses the port. */
    static final InetSocketAddress DEFAULT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7480);

    private static final Pattern FORM = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]/ ]+):(\\d{1,5})");
    private static final int HIGHEST_PORT = 65_535;

    private ListenAddress() {}

    /** Returns the address of a text such as {@code 0.0.0.0:7480}. */
    static InetSocketAddress parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > HIGHEST_PORT) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not an address; write one such as 127.0.0.1:7480 or 0.0.0.0:7480");
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(parts.group(1)), Integer.parseInt(parts.group(2)));
        } catch (UnknownHostException e) {
            throw new Failure(ExitCode.USAGE, "--listen: no address is known for the host " + parts.group(1));
        }
    }
}
