package io.holdfast.testkit.fault;

/** The ways in which a {@link FaultProxy} ends a connection. */
public enum ConnectionEnd {
    /** An orderly end (FIN), as when a server shuts down. */
    CLOSE,
    /** A reset (RST), as from a restarted machine or a firewall. */
    RESET
}
