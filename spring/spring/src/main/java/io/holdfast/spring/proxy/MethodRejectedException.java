package io.holdfast.spring.proxy;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an application starts, or creates a bean later, if an annotation cannot work on a method. The message
 * names the method and the remedy.
 */
public final class MethodRejectedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String remedy;

    /** Creates the rejection of a method. */
    public MethodRejectedException(
            Method method, Class<? extends Annotation> annotation, String reason, String remedy) {
        this(method, annotation, reason, remedy, null);
    }

    /** Creates the rejection of a method that another failure has caused. */
    public MethodRejectedException(
            Method method,
            Class<? extends Annotation> annotation,
            String reason,
            String remedy,
            @Nullable Throwable cause) {
        super(
                "@" + annotation.getSimpleName() + " cannot work on "
                        + method.getDeclaringClass().getName() + "." + method.getName() + ": " + reason + "; " + remedy,
                cause);
        this.remedy = remedy;
    }

    /** Returns the last part of the message: the change that makes the annotation work. */
    public String remedy() {
        return remedy;
    }
}
