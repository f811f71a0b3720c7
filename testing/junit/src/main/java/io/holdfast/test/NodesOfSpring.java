package io.holdfast.test;

import io.holdfast.Holdfast;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** The nodes of the application that Spring has started for a test. They end with the context of the application. */
record NodesOfSpring(LockNodes nodes, Holdfast application, BooleanSupplier isActive) implements LockNodes {

    private static final String EXTENSION = "org.springframework.test.context.junit.jupiter.SpringExtension";

    /** Returns {@code true} if {@link HoldfastTest} gives the client of a test to an application with Spring. */
    static boolean areUsedBy(ExtensionContext context) {
        return isAnnotated(context)
                && Stream.<Class<?>>iterate(
                                context.getRequiredTestClass(), type -> type != null, Class::getEnclosingClass)
                        .flatMap(type -> AnnotationSupport.findRepeatableAnnotations(type, ExtendWith.class).stream())
                        .flatMap(extended -> Stream.of(extended.value()))
                        .anyMatch(extension -> extension.getName().equals(EXTENSION));
    }

    private static boolean isAnnotated(ExtensionContext context) {
        return Stream.<Class<?>>iterate(context.getRequiredTestClass(), type -> type != null, Class::getEnclosingClass)
                .anyMatch(type -> AnnotationSupport.isAnnotated(type, HoldfastTest.class));
    }

    @Override
    public Holdfast connect() {
        return nodes.connect();
    }

    @Override
    public List<String> addresses() {
        return nodes.addresses();
    }

    /** A test with {@code @DirtiesContext} ends the context, and the nodes with it, before the class has ended. */
    @Override
    public boolean isOpen() {
        return isActive.getAsBoolean();
    }

    @Override
    public void end(Holdfast client) {
        // Spring may keep the context for another class.
    }

    @Override
    public void close() {}

    /** Loaded only where Spring is on the class path. */
    static final class Finder {

        private Finder() {}

        /** Returns the nodes of the application, which Spring starts if it has not. */
        static LockNodes find(ExtensionContext context) {
            ApplicationContext application = SpringExtension.getApplicationContext(context);
            return new NodesOfSpring(
                    application.getBean(LockNodes.class),
                    application.getBean(Holdfast.class),
                    () -> !(application instanceof ConfigurableApplicationContext known) || known.isActive());
        }
    }
}
