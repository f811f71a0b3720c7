package io.holdfast.spring.attribute;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Lets a native image call the fallbacks that annotations name. */
public final class FallbackHints implements ReflectiveProcessor {

    static final String ANNOTATION = "io.holdfast.spring.HoldfastLock";

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        MergedAnnotation<?> lock =
                MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).get(ANNOTATION);
        if (element instanceof Method method && lock.isPresent()) {
            Fallback.candidates(lock.getString("fallback"), method, method.getDeclaringClass())
                    .forEach(fallback -> hints.registerMethod(fallback, ExecutableMode.INVOKE));
        }
    }
}
