package io.holdfast.spring.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.BaseStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import kotlin.sequences.Sequence;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.flow.Flow;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

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
                "org.springframework.web.context.request.async.DeferredResult",
                "org.springframework.web.context.request.async.WebAsyncTask",
                "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
                "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody"
            })
    void of_typeWhoseWorkFollowsTheCall_isLater(String name) {
        Class<?> type = type(name, Object.class);
        Class<?> subtype = type("org.example.Subtype", type);

        assertThat(of(type)).isEqualTo(ResultKind.LATER);
        assertThat(of(subtype)).isEqualTo(ResultKind.LATER);
    }

    @Test
    void of_typeOfTheSamePackage_isValue() {
        assertThat(of(type("io.smallrye.mutiny.Other", Object.class))).isEqualTo(ResultKind.VALUE);
    }

    /** The functions of a stream run when its elements are requested; a coroutine goes on by itself. */
    @ParameterizedTest
    @ValueSource(classes = {Stream.class, IntStream.class, BaseStream.class, Sequence.class, Flow.class, Job.class})
    void of_streamOrCoroutine_isLater(Class<?> type) {
        assertThat(of(type)).isEqualTo(ResultKind.LATER);
    }

    /** As Kotlin compiles suspending functions. */
    interface Suspending<T> {
        Object text(int id, Continuation<? super String> caller);

        Object later(Continuation<? super Flow<String>> caller);

        Object any(Continuation<? super T> caller);
    }

    interface SuspendingFuture extends Suspending<CompletableFuture<String>> {}

    @ParameterizedTest
    @CsvSource({"text, PUBLISHER", "later, LATER", "any, LATER"})
    void of_suspendingFunction_dependsOnItsResult(String name, ResultKind expected) {
        Method method = Stream.of(Suspending.class.getMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();

        assertThat(ResultKind.of(method, SuspendingFuture.class)).isEqualTo(expected);
    }

    /** A method whose result only a subclass knows. */
    abstract static class Base<T> {
        public @Nullable T method() {
            return null;
        }
    }

    static class Stage extends Base<CompletableFuture<String>> {}

    static class Publisher extends Base<Mono<String>> {}

    static class Later extends Base<Callable<String>> {}

    static class Value extends Base<String> {}

    @Test
    void of_typeParameter_isThatOfTheClass() throws NoSuchMethodException {
        Method method = Base.class.getMethod("method");

        assertThat(ResultKind.of(method, Stage.class)).isEqualTo(ResultKind.STAGE);
        assertThat(ResultKind.of(method, Publisher.class)).isEqualTo(ResultKind.PUBLISHER);
        assertThat(ResultKind.of(method, Later.class)).isEqualTo(ResultKind.LATER);
        assertThat(ResultKind.of(method, Value.class)).isEqualTo(ResultKind.VALUE);
    }

    private static Class<?> type(String name, Class<?> parent) {
        return load(new ByteBuddy().subclass(parent).name(name), parent);
    }

    /** Returns the kind of a method with this result. */
    private static ResultKind of(Class<?> result, Class<?>... parameters) {
        Method method = method(result, parameters);
        return ResultKind.of(method, method.getDeclaringClass());
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
