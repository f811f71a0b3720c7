package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.client.PendingCommands;
import io.holdfast.redis.client.RedisReply;
import io.lettuce.core.RedisException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class SentCommandTest {

    private final AtomicInteger failures = new AtomicInteger();

    private SentCommand command() {
        return new SentCommand("GET", List::of, failures::incrementAndGet);
    }

    private static String encoded(String name, List<String> arguments) {
        ByteBuf buffer = Unpooled.buffer();
        new SentCommand(name, () -> arguments, () -> {}).encode(buffer);
        return buffer.toString(StandardCharsets.UTF_8);
    }

    @Test
    void encode_anyText_hasItsLengthInBytes() {
        assertThat(encoded("GET", List.of("grün", "", "€\r\n😀")))
                .isEqualTo("*4\r\n$3\r\nGET\r\n$5\r\ngrün\r\n$0\r\n\r\n$9\r\n€\r\n😀\r\n");
    }

    @Test
    void encode_manyAndLongArguments_haveNumbersOfSeveralDigits() {
        String longText = "x".repeat(1_234);

        assertThat(encoded("MGET", Collections.nCopies(109, longText)))
                .startsWith("*110\r\n$4\r\nMGET\r\n$1234\r\n" + longText + "\r\n$1234\r\n");
    }

    @Test
    void complete_serverReplied_futureHasTheReply() {
        SentCommand value = command();
        value.getOutput().set(StandardCharsets.UTF_8.encode("grün"));
        value.complete();
        SentCommand error = command();
        error.getOutput().setError(ByteBuffer.wrap("WRONGTYPE no".getBytes(StandardCharsets.US_ASCII)));
        error.complete();

        assertThat(value.reply()).isCompletedWithValue(new RedisReply.Value("grün"));
        assertThat(error.reply()).isCompletedWithValue(new RedisReply.ServerError("WRONGTYPE no"));
    }

    @Test
    void end_noReplyCame_replyIsUnknown() {
        SentCommand failed = command();
        failed.completeExceptionally(new RedisException("Connection closed"));
        SentCommand cancelled = command();
        cancelled.cancel();

        assertThat(failures).hasValue(0);
        assertThat(failed.reply()).isCompletedWithValue(PendingCommands.CONNECTION_ENDED);
        assertThat(cancelled.reply()).isCompletedWithValue(PendingCommands.CONNECTION_ENDED);
    }

    /** Lettuce would take the Error for a failure of the next command. */
    @Test
    void complete_noMemoryForTheReply_endsTheConnectionAndThrowsNothing() {
        SentCommand command = command();
        command.setOutput(new CommandOutput<>(StringCodec.UTF8, "") {
            @Override
            public Object get() {
                throw new OutOfMemoryError("planned");
            }
        });

        command.complete();

        assertThat(command.reply()).isCompletedWithValue(PendingCommands.CONNECTION_ENDED);
        assertThat(failures).hasValue(1);
    }
}
