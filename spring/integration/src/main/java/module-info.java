/** A lock registry of Spring Integration on Holdfast's locks. */
module io.holdfast.spring.integration {
    requires transitive io.holdfast.core;
    requires static transitive org.jspecify;
    requires transitive spring.integration.core;
    requires transitive spring.tx;

    exports io.holdfast.spring.integration;
}
