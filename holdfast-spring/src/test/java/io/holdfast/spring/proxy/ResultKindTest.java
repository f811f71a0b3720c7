package io.holdfast.spring.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Objects;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the kinds of results by types of libraries that are not on the class path. */
class ResultKindTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
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
                "kotlinx.coroutines.Job",
                "kotlinx.coroutines.flow.Flow",
                "org.springframework.web.context.request.async.DeferredResult",
                "org.springframework.web.context.request.async.WebAsyncTask",
                "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
                "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody"
            })
    void of_typeWhoseWorkFollowsTheCall_isLater(String name) {
        Class<?> type = type(name, Object.class);
        Class<?> subtype = type("org.example.Subtype", type);

        assertThat(ResultKind.of(method(type))).isEqualTo(ResultKind.LATER);
        assertThat(ResultKind.of(method(subtype))).isEqualTo(ResultKind.LATER);
    }

    @Test
    void of_typeOfTheSamePackage_isValue() {
        assertThat(ResultKind.of(method(type("io.smallrye.mutiny.Other", Object.class))))
                .isEqualTo(ResultKind.VALUE);
    }

    @Test
    void of_suspendingFunction_isLater() {
        Class<?> continuation = type("kotlin.coroutines.Continuation", Object.class);

        assertThat(ResultKind.of(method(Object.class, continuation))).isEqualTo(ResultKind.LATER);
    }

    private static Class<?> type(String name, Class<?> parent) {
        return load(new ByteBuddy().subclass(parent).name(name), parent);
    }

    /** Returns a method of this result. */
    private static Method method(Class<?> result, Class<?>... parameters) {
        Class<?> visible = parameters.length == 0 ? result : parameters[0];
        return load(
                        new ByteBuddy()
                                .makeInterface()
                                .defineMethod("method", result, Visibility.PUBLIC)
                                .withParameters(parameters)
                                .withoutCode(),
                        visible)
                .getMethods()[0];
    }

    private static Class<?> load(DynamicType.Builder<?> type, Class<?> visible) {
        ClassLoader loader =
                Objects.requireNonNullElse(visible.getClassLoader(), ResultKindTest.class.getClassLoader());
        return type.make().load(loader).getLoaded();
    }
}
