package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("replaces stdout and stderr of this process")
class MainTest {

    @Test
    void execute_errorOfJava_returns125() {
        PrintStream before = System.out;
        PrintStream beforeErr = System.err;
        int code;
        try {
            System.setErr(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
            System.setOut(new PrintStream(
                    new OutputStream() {
                        @Override
                        public void write(int b) {
                            throw new StackOverflowError("of the test");
                        }
                    },
                    true,
                    StandardCharsets.UTF_8));
            code = Main.execute("version");
        } finally {
            System.setOut(before);
            System.setErr(beforeErr);
        }
        assertThat(code).isEqualTo(125);
    }
}
