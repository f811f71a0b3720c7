package io.holdfast.interop;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process with a lock client of another project. */
final class Peer implements AutoCloseable {

    private final Process process;
    private final BufferedWriter questions;
    private final BufferedReader answers;

    /** Which client. */
    enum Kind {
        /** The npm package of that name. */
        NODE_REDLOCK(true, "node", "peers/redlock.js"),
        /** Debian's {@code python3-redis}. */
        REDIS_PY(false, "/usr/bin/python3", "peers/redis_py.py"),
        /** {@code SET NX PX}, and a script to release. */
        REDIS_CLI(false, "bash", "peers/redis_cli.sh");

        private final boolean quorum;

        @SuppressWarnings("ImmutableEnumChecker") // A list that nothing changes.
        private final List<String> command;

        Kind(boolean quorum, String... command) {
            this.quorum = quorum;
            this.command = List.of(command);
        }

        /** Whether it knows of more than one node. */
        boolean isQuorum() {
            return quorum;
        }

        /** Whether it is installed; where it has to be, it is tried in any case. */
        boolean isInstalled() {
            return Boolean.getBoolean("holdfast.interop.required") || succeeds(probe());
        }

        private String[] probe() {
            return switch (this) {
                case NODE_REDLOCK -> new String[] {"node", "-e", "require('./peers/node_modules/redlock')"};
                case REDIS_PY -> new String[] {"/usr/bin/python3", "-c", "import redis"};
                case REDIS_CLI -> new String[] {"redis-cli", "--version"};
            };
        }

        private static boolean succeeds(String... probe) {
            try {
                return new ProcessBuilder(probe)
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start()
                                .waitFor()
                        == 0;
            } catch (IOException e) {
                return false;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Peer(Process process) {
        this.process = process;
        this.questions = process.outputWriter();
        this.answers = process.inputReader();
    }

    static Peer start(Kind kind, List<String> addresses) {
        List<String> command = new ArrayList<>(kind.command);
        command.addAll(addresses);
        try {
            return new Peer(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(kind + " cannot be started", e);
        }
    }

    boolean acquire(String key, Duration ttl) {
        return ask("acquire " + key + " " + ttl.toMillis());
    }

    boolean extend(String key, Duration ttl) {
        return ask("extend " + key + " " + ttl.toMillis());
    }

    boolean release(String key) {
        return ask("release " + key);
    }

    private boolean ask(String question) {
        try {
            questions.write(question);
            questions.newLine();
            questions.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("The peer has ended; it was asked: " + question);
            }
            return answer.equals("yes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
