package io.holdfast.cli.output;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The standard output of this process. Remembers its first error, which {@link PrintStream} hides. */
public final class ResultStream extends FilterOutputStream {

    private static final String READER_HAS_ENDED = "Broken pipe";

    private @Nullable IOException failure;

    private ResultStream() {
        super(new FileOutputStream(FileDescriptor.out));
    }

    /** Makes such a stream {@link System#out}. */
    public static ResultStream install() {
        ResultStream stream = new ResultStream();
        System.setOut(new PrintStream(new BufferedOutputStream(stream), true, Charset.defaultCharset()));
        return stream;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
    }

    /** Returns why results are missing. A reader that needs no more of them, such as {@code head}, is no reason. */
    public Optional<String> failure() {
        System.out.flush();
        return Optional.ofNullable(failure).map(FileFailure::reason).filter(reason -> !reason.equals(READER_HAS_ENDED));
    }
}
