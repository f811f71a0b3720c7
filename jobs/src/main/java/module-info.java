/** Jobs: locks with a record of runs, which run once per period if that is wanted. */
module io.holdfast.jobs {
    requires transitive io.holdfast.core;
    requires static transitive org.jspecify;

    exports io.holdfast.jobs;
}
