/** Meters and observations of Holdfast's locks, nodes and jobs. */
module io.holdfast.micrometer {
    requires transitive io.holdfast.core;
    requires transitive io.holdfast.jobs;
    requires static transitive org.jspecify;
    requires transitive micrometer.core;
    requires transitive micrometer.commons;
    requires transitive micrometer.observation;

    exports io.holdfast.micrometer;
}
