package io.holdfast.cli.exit;

import io.holdfast.HoldfastException;
import io.holdfast.LeaseLostException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.cli.output.FailureText;
import io.holdfast.cli.output.FileFailure;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.WrongUsage;
import io.holdfast.node.ProcessLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;

/** The message and the exit code of a command that has failed. */
public final class FailureReport {

    private FailureReport() {}

    /** Prints the message of an expected failure, or the stack trace of a defect. Returns the exit code. */
    public static int print(Throwable failure, Terminal terminal) {
        int code = exitCode(failure);
        if (isExpected(failure)) {
            if (ExitCode.isFault(code)) {
                terminal.complain(message(failure));
            } else {
                terminal.print(message(failure));
            }
            FailureText.replies(failure).ifPresent(terminal::detail);
        } else {
            terminal.complain("internal error, which is a defect of Holdfast; please report it with the lines below");
            failure.printStackTrace();
        }
        return code;
    }

    /** Returns the message in one line. */
    private static String message(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof HoldfastException expected) {
            message = FailureText.of(expected);
        } else if (failure instanceof UncheckedIOException && failure.getCause() instanceof IOException cause) {
            message += ": " + FileFailure.reason(cause);
        } else if (failure instanceof OutOfMemoryError) {
            message = ProcessLimit.of(failure).map(ProcessLimit::explanation).orElse(message);
        }
        return Terminal.printable(message.lines().collect(Collectors.joining("; ")));
    }

    private static boolean isExpected(Throwable failure) {
        return failure instanceof Failure
                || failure instanceof WrongUsage
                || failure instanceof IllegalArgumentException
                || failure instanceof HoldfastException
                || failure instanceof IllegalStateException
                || failure instanceof UncheckedIOException
                || (failure instanceof OutOfMemoryError
                        && ProcessLimit.of(failure).isPresent());
    }

    private static int exitCode(Throwable failure) {
        if (failure instanceof Failure expected) {
            return expected.exitCode();
        } else if (failure instanceof WrongUsage || failure instanceof IllegalArgumentException) {
            return ExitCode.USAGE;
        } else if (failure instanceof LeaseLostException) {
            return ExitCode.LOST;
        }
        return failure instanceof QuorumUnreachableException ? ExitCode.NO_QUORUM : ExitCode.INTERNAL;
    }
}
