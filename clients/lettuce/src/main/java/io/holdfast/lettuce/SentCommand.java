package io.holdfast.lettuce;

import io.holdfast.redis.client.PendingCommands;
import io.holdfast.redis.client.RedisReply;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A command with a future of its reply. Its arguments are composed when Lettuce encodes it, on the thread that writes,
 * and are written without an object for each of them.
 */
final class SentCommand extends Command<String, String, Object> {

    private static final int TEN = 10;

    /** Lettuce acts on names that it knows, such as {@code MULTI}, by itself; it knows none of these commands. */
    private static final ProtocolKeyword TYPE = new ProtocolKeyword() {
        @Override
        public byte[] getBytes() {
            return new byte[0];
        }

        @Override
        public String toString() {
            return "command of Holdfast";
        }
    };

    private final String name;
    private final Supplier<List<String>> arguments;
    private final Runnable onFailure;
    private final CompletableFuture<RedisReply> reply = new CompletableFuture<>();

    /**
     * Creates a command.
     *
     * @param onFailure ends the connection, because no memory was left for a reply
     */
    SentCommand(String name, Supplier<List<String>> arguments, Runnable onFailure) {
        super(TYPE, new ReplyOutput());
        this.name = name;
        this.arguments = arguments;
        this.onFailure = onFailure;
    }

    /** Returns the future of the reply, which never fails. */
    CompletableFuture<RedisReply> reply() {
        return reply;
    }

    @Override
    public void encode(ByteBuf buffer) {
        List<String> composed = arguments.get();
        writeNumber(buffer.writeByte('*'), 1 + composed.size());
        endLine(buffer);
        write(buffer, name);
        for (String argument : composed) {
            write(buffer, argument);
        }
    }

    private static void write(ByteBuf buffer, String text) {
        writeNumber(buffer.writeByte('$'), ByteBufUtil.utf8Bytes(text));
        endLine(buffer);
        ByteBufUtil.writeUtf8(buffer, text);
        endLine(buffer);
    }

    private static void writeNumber(ByteBuf buffer, int number) {
        if (number >= TEN) {
            writeNumber(buffer, number / TEN);
        }
        buffer.writeByte('0' + number % TEN);
    }

    private static void endLine(ByteBuf buffer) {
        buffer.writeByte('\r').writeByte('\n');
    }

    /** Throws nothing: Lettuce would take the failure for that of the next command, and shift all later replies. */
    @Override
    public void complete() {
        super.complete();
        try {
            reply.complete(received(getOutput()));
        } catch (Throwable noMemory) {
            reply.complete(PendingCommands.CONNECTION_ENDED);
            onFailure.run();
        }
    }

    private static RedisReply received(CommandOutput<String, String, Object> output) {
        return output.hasError()
                ? new RedisReply.ServerError(String.valueOf(output.getError()))
                : new RedisReply.Value(output.get());
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        super.completeExceptionally(failure);
        return reply.complete(replyOf(failure));
    }

    /** Returns the reply to a command that has failed within Lettuce. */
    static RedisReply replyOf(Throwable failure) {
        return failure instanceof RedisCommandExecutionException
                ? new RedisReply.ServerError(String.valueOf(failure.getMessage()))
                : PendingCommands.CONNECTION_ENDED;
    }

    @Override
    public void cancel() {
        super.cancel();
        reply.complete(PendingCommands.CONNECTION_ENDED);
    }
}
