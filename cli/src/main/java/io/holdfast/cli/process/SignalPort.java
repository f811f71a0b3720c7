package io.holdfast.cli.process;

/**
 * Signal handlers by {@code sun.misc.Signal}, the only interface to signals in Java. All JDKs from 1.2 to 25 have it,
 * but without a guarantee, and its use causes a warning that no annotation suppresses. Therefore the pom compiles this
 * file separately. Reflection would take a tenth of a short run.
 */
final class SignalPort {

    private SignalPort() {}

    /**
     * Runs the action whenever this process receives the signal, such as {@code TERM}. A signal that was ignored at the
     * start stays ignored, here and in the child. Java itself preserves this only for signals that would end the
     * process.
     */
    static void handle(String name, Runnable action) {
        sun.misc.Signal signal = new sun.misc.Signal(name);
        sun.misc.SignalHandler before = sun.misc.Signal.handle(signal, received -> action.run());
        if (before == sun.misc.SignalHandler.SIG_IGN) {
            sun.misc.Signal.handle(signal, before);
        }
    }
}
