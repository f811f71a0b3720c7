import io.holdfast.node.NodeProvider;

/** Meters and observations of Holdfast's locks and nodes. */
module io.holdfast.micrometer {
    requires transitive io.holdfast.core;
    requires static transitive org.jspecify;
    requires transitive micrometer.core;
    requires transitive micrometer.commons;
    requires transitive micrometer.observation;

    exports io.holdfast.micrometer;

    uses NodeProvider;
}
