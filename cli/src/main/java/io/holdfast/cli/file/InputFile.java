package io.holdfast.cli.file;

import io.holdfast.time.ThreadWait;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Reads a file that the user has named. A pipe without an end, or a device such as {@code /dev/zero}, is an error. */
public final class InputFile {

    /** Longer than any list of certificates. */
    private static final int MOST_BYTES = 4 << 20;

    private static final int LIMIT_SECONDS = 10;
    private static final Path EMPTY = Path.of("/dev/null");

    private InputFile() {}

    /** Returns the text of a file, in UTF-8; that of {@code /dev/null} is empty. */
    public static String textOfFile(Path file) throws IOException {
        if (!Files.isRegularFile(file)
                && Files.exists(file)
                && !file.toRealPath().equals(EMPTY)) {
            throw failure(file, "it is not a file; name one");
        }
        return decoded(contents(file));
    }

    /** Returns the text of a file or of a pipe, such as that of the shell's {@code <(command)}. */
    public static String text(Path file) throws IOException {
        return decoded(bytes(file));
    }

    /** Returns the contents of a file or of a pipe. */
    static byte[] bytes(Path file) throws IOException {
        if (Files.isRegularFile(file) || !Files.exists(file)) {
            return contents(file);
        } else if (Files.isDirectory(file)) {
            throw failure(file, "it is a directory");
        }
        return contentsWithinLimit(file);
    }

    /** Nothing ends a thread that opens a pipe without a writer, so the caller waits for another thread. */
    private static byte[] contentsWithinLimit(Path pipe) throws IOException {
        CompletableFuture<byte[]> contents = DaemonCall.begin("holdfast-input", () -> contents(pipe));
        try {
            if (!ThreadWait.park(contents, Duration.ofSeconds(LIMIT_SECONDS))) {
                throw failure(pipe, "its end has not arrived within " + LIMIT_SECONDS + " s");
            }
            return ThreadWait.resultOf(contents);
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(pipe, "a signal arrived");
        }
    }

    private static byte[] contents(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] contents = in.readNBytes(MOST_BYTES + 1);
            if (contents.length > MOST_BYTES) {
                throw failure(file, "it is longer than " + (MOST_BYTES >> 20) + " MiB");
            }
            return contents;
        }
    }

    private static String decoded(byte[] bytes) throws IOException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    private static FileSystemException failure(Path file, String reason) {
        return new FileSystemException(file.toString(), null, reason);
    }
}
