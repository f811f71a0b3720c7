package io.holdfast.console;

import java.util.List;
import java.util.Map;

/** A demonstration, whose servers and clients a viewer may stop. Thread-safe. */
public interface ConsoleDemo {

    /**
     * A client of the demonstration.
     *
     * @param id its name in actions
     * @param name what it says about itself
     * @param state what it does, such as {@code waits for order:2}
     */
    record DemoClient(String id, String name, String state) {}

    /** Returns what each server does, by the name of its node: {@code running}, {@code killed} or {@code frozen}. */
    Map<String, String> servers();

    /** Returns the clients. */
    List<DemoClient> clients();

    /**
     * Does something to a server or to a client.
     *
     * @param target the name of a node, or the id of a client
     * @throws IllegalArgumentException if there is no such action or target
     */
    void act(String action, String target);
}
