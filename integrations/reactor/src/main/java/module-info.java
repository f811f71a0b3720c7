/** Locks that are held while a publisher of Reactor runs. */
module io.holdfast.reactor {
    requires transitive io.holdfast.core;
    requires static transitive org.jspecify;
    requires transitive reactor.core;
    requires transitive org.reactivestreams;

    exports io.holdfast.reactor;
}
