package io.holdfast.testkit.fault;

/** How a {@link FaultProxy} ends a connection. */
public enum ConnectionEnd {
    /** In order (FIN), as a server does that goes away. */
    CLOSE,
    /** With a reset (RST), as a crashed machine or a firewall does. */
    RESET
}
