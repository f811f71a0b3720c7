/** A lock provider of ShedLock on Holdfast's locks. */
module io.holdfast.shedlock {
    requires transitive io.holdfast.core;
    requires io.holdfast.jobs;
    requires static transitive org.jspecify;
    requires transitive net.javacrumbs.shedlock.core;

    exports io.holdfast.shedlock;
}
