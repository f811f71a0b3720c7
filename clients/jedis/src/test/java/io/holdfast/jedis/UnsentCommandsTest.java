package io.holdfast.jedis;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class UnsentCommandsTest {

    private final UnsentCommands<Integer> commands = new UnsentCommands<>();
    private final List<Integer> taken = Collections.synchronizedList(new ArrayList<>());
    private final AtomicBoolean isEnd = new AtomicBoolean();
    private final Thread writer = new Thread(() -> {
        while (!isEnd.get()) {
            List<Integer> batch = new ArrayList<>();
            commands.moveTo(batch, isEnd::get);
            taken.addAll(batch);
        }
    });

    @Test
    void moveTo_commandsOfManyThreads_takesAll() {
        writer.start();
        for (int thread = 0; thread < 4; thread++) {
            new Thread(() -> {
                        for (int i = 0; i < 10_000; i++) {
                            commands.add(i);
                        }
                    })
                    .start();
        }

        eventually("all are taken", () -> taken.size() == 40_000);
        end();
    }

    @Test
    void moveTo_end_returnsWithoutACommand() {
        writer.start();
        eventually("the writer waits", () -> writer.getState() == Thread.State.WAITING);

        end();

        eventually("the writer has ended", () -> !writer.isAlive());
        assertThat(taken).isEmpty();
    }

    private void end() {
        isEnd.set(true);
        commands.wakeWriter();
    }
}
