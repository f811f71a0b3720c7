package io.holdfast.lettuce;

import io.holdfast.redis.Answer;
import io.holdfast.redis.RedisPort;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Commands go to the connection of the moment, or fail at once. */
final class LettucePort implements RedisPort {

    private final Supervisor supervisor;

    LettucePort(Supervisor supervisor) {
        this.supervisor = supervisor;
    }

    @Override
    public String name() {
        return supervisor.name();
    }

    @Override
    public CompletionStage<Answer> send(List<String> command) {
        Supervisor.State state = supervisor.state();
        Line line = state.line();
        return line == null
                ? CompletableFuture.completedFuture(new Answer.Lost(false, "not connected: " + state.cause()))
                : line.send(command);
    }

    @Override
    public void close() {
        supervisor.close();
    }
}
