package io.holdfast.cli.process;

/**
 * Signals, by the one interface to them that Java has: it does not promise to keep it, and its mention is a warning that nothing in a
 * source can switch off, so this file is compiled by itself, see the pom. Every JDK from 1.2 to 25 has it. By reflection it would take a
 * tenth of a short run.
 */
final class SignalPort {

    private SignalPort() {}

    /**
     * Runs the action whenever this process gets the signal, such as {@code TERM}. A signal that was ignored at the start stays
     * ignored, here and in the command: Java sees to that only for those that would end it.
     */
    static void handle(String name, Runnable action) {
        sun.misc.Signal signal = new sun.misc.Signal(name);
        sun.misc.SignalHandler before = sun.misc.Signal.handle(signal, received -> action.run());
        if (before == sun.misc.SignalHandler.SIG_IGN) {
            sun.misc.Signal.handle(signal, before);
        }
    }
}
