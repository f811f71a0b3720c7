package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spring.proxy.ResultKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Mono;

/** Tests the results of web controllers, whose classes are on the class path of this module only. */
class EntityResultTest {

    /** The method of a controller. */
    interface Controller<T> {
        @Nullable
        T answer();
    }

    interface Streaming extends Controller<ResponseEntity<StreamingResponseBody>> {}

    interface Reactive extends Controller<ResponseEntity<Mono<String>>> {}

    interface Future extends Controller<HttpEntity<CompletableFuture<String>>> {}

    interface Value extends Controller<ResponseEntity<List<String>>> {}

    @ParameterizedTest
    @ValueSource(classes = {Streaming.class, Reactive.class, Future.class})
    void of_entityWithLaterBody_isLater(Class<?> controller) throws NoSuchMethodException {
        assertThat(ResultKind.of(controller.getMethod("answer"), controller)).isEqualTo(ResultKind.LATER);
    }

    @Test
    void of_entityWithValue_isValue() throws NoSuchMethodException {
        assertThat(ResultKind.of(Value.class.getMethod("answer"), Value.class)).isEqualTo(ResultKind.VALUE);
    }
}
