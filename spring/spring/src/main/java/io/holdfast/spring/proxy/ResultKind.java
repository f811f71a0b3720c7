package io.holdfast.spring.proxy;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/** The kinds of results of a method, which decide when its lock is released, and what a skipped call returns. */
public enum ResultKind {
    /** The method has ended when it returns. */
    VALUE,
    /** An {@link Optional}. */
    OPTIONAL,
    /** A primitive, which cannot say that the method was skipped. */
    PRIMITIVE,
    /** The method has ended when the stage completes. */
    STAGE,
    /**
     * A {@code Mono}, a {@code Flux} or a {@code Publisher}, which a suspending function of Kotlin is as well: the
     * method runs when a subscriber arrives.
     */
    PUBLISHER,
    /** The method begins after it has returned, or ends at a time that is unknown here. */
    LATER;

    /** Types of an optional library, by name. Their subtypes promise more than a publisher under a lock can do. */
    private static final Set<String> PUBLISHER_TYPES =
            Set.of("org.reactivestreams.Publisher", "reactor.core.publisher.Mono", "reactor.core.publisher.Flux");

    private static final String ENTITY = "org.springframework.http.HttpEntity";

    /** Types whose work follows the call, most of optional libraries, by name, and all their subtypes. */
    private static final Set<String> LATER_TYPES = Set.of(
            "org.reactivestreams.Publisher",
            "java.util.concurrent.Callable",
            "java.util.concurrent.Flow$Publisher",
            "java.util.stream.BaseStream",
            "kotlin.sequences.Sequence",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.flow.Flow",
            "io.reactivex.Completable",
            "io.reactivex.Maybe",
            "io.reactivex.Observable",
            "io.reactivex.Single",
            "io.reactivex.rxjava3.core.Completable",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Observable",
            "io.reactivex.rxjava3.core.Single",
            "io.smallrye.mutiny.Multi",
            "io.smallrye.mutiny.Uni",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    /**
     * Returns the kind of the result of a method.
     *
     * @param type the class of the bean, which may say what a type parameter of a superclass stands for
     */
    public static ResultKind of(Method method, Class<?> type) {
        if (isSuspending(method)) {
            return ofSuspending(method, type);
        }
        ResolvableType result = ResolvableType.forMethodReturnType(method, type);
        return hasLaterBody(result) ? LATER : of(result.resolve(method.getReturnType()));
    }

    /**
     * Returns {@code true} for an entity of Spring's web frameworks whose body is produced after the method has
     * returned.
     */
    private static boolean hasLaterBody(ResolvableType result) {
        ResolvableType entity = result;
        while (!entity.equals(ResolvableType.NONE)
                && !entity.toClass().getName().equals(ENTITY)) {
            entity = entity.getSuperType();
        }
        ResultKind body = of(entity.getGeneric().toClass());
        return body == STAGE || body == PUBLISHER || body == LATER;
    }

    /** Spring calls a suspending function by way of a {@code Mono}, unless its result ends later than the function. */
    private static ResultKind ofSuspending(Method method, Class<?> type) {
        ResolvableType continuation = ResolvableType.forMethodParameter(
                MethodParameter.forParameter(method.getParameters()[method.getParameterCount() - 1])
                        .withContainingClass(type));
        return switch (of(continuation.getGeneric().toClass())) {
            case VALUE, OPTIONAL, PRIMITIVE -> PUBLISHER;
            default -> LATER;
        };
    }

    /** Returns {@code true} for a suspending function of Kotlin, whose last parameter is its continuation. */
    public static boolean isSuspending(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals("kotlin.coroutines.Continuation");
    }

    private static ResultKind of(Class<?> type) {
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return STAGE;
        } else if (PUBLISHER_TYPES.contains(type.getName())) {
            return PUBLISHER;
        } else if (Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || isOneOf(type, LATER_TYPES)) {
            return LATER;
        } else if (type == Optional.class) {
            return OPTIONAL;
        }
        return type.isPrimitive() && type != void.class ? PRIMITIVE : VALUE;
    }

    /** Returns {@code true} if the type or one of its supertypes, also of its interfaces, has one of these names. */
    private static boolean isOneOf(@Nullable Class<?> type, Set<String> names) {
        return type != null
                && (names.contains(type.getName())
                        || isOneOf(type.getSuperclass(), names)
                        || Stream.of(type.getInterfaces()).anyMatch(parent -> isOneOf(parent, names)));
    }

    /** Returns {@code true} for a result that ends after the method has returned, whatever type the method declares. */
    public static boolean endsLater(@Nullable Object result) {
        Object value = result instanceof Optional<?> optional ? optional.orElse(null) : result;
        if (value instanceof Future<?> future) {
            return !future.isDone();
        }
        return value instanceof CompletionStage<?> || (value != null && isOneOf(value.getClass(), LATER_TYPES));
    }

    /** Returns the result of a call that was skipped. */
    public @Nullable Object skipped() {
        return switch (this) {
            case OPTIONAL -> Optional.empty();
            case STAGE -> CompletableFuture.completedFuture(null);
            default -> null;
        };
    }
}
