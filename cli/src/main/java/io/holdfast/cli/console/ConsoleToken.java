package io.holdfast.cli.console;

import io.holdfast.cli.file.InputFile;
import io.holdfast.cli.file.SecretFile;
import io.holdfast.cli.file.Unreadable;
import io.holdfast.cli.output.Terminal;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.SecureRandom;

/** The token that a viewer on another machine has to know. */
final class ConsoleToken {

    private static final int BITS = 160;

    private ConsoleToken() {}

    /** Returns a new token of 160 random bits. */
    static String generate() {
        return new BigInteger(BITS, new SecureRandom()).setBit(BITS).toString(Character.MAX_RADIX);
    }

    /** Returns the token in a file, which is its only line. */
    static String read(Path file, Terminal terminal) {
        SecretFile.check("the token file", "the token", file, terminal);
        try {
            return InputFile.text(file).strip();
        } catch (IOException e) {
            throw Unreadable.of("the token file " + file, e);
        }
    }
}
