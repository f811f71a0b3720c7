package io.holdfast.spring.boot.console;

import io.holdfast.console.ConsoleRequest;
import io.holdfast.console.ConsoleResponse;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.Optional;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Serves the console in a reactive application. An answer waits for nodes, so it is made on a thread that may be
 * blocked.
 */
record ReactiveConsole(HoldfastConsoleEndpoint endpoint) implements WebHandler {

    @Override
    public Mono<Void> handle(ServerWebExchange exchange) {
        Mono<Optional<String>> user = exchange.getPrincipal()
                .map(Principal::getName)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty());
        return Mono.zip(body(exchange.getRequest()), user)
                .flatMap(sent -> Mono.fromCallable(() -> answer(exchange, sent.getT1(), sent.getT2()))
                        .subscribeOn(Schedulers.boundedElastic()))
                .flatMap(answer -> write(answer, exchange.getResponse()));
    }

    private static Mono<byte[]> body(ServerHttpRequest request) {
        return DataBufferUtils.join(
                        DataBufferUtils.takeUntilByteCount(request.getBody(), ConsoleRequest.LARGEST_BODY + 1L))
                .map(ReactiveConsole::bytes)
                .defaultIfEmpty(new byte[0]);
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private ConsoleResponse answer(ServerWebExchange exchange, byte[] body, Optional<String> user) {
        ServerHttpRequest request = exchange.getRequest();
        PathContainer path = exchange.getRequiredAttribute(HandlerMapping.PATH_WITHIN_HANDLER_MAPPING_ATTRIBUTE);
        InetSocketAddress host = request.getRemoteAddress();
        return endpoint.answer(
                request,
                path.value(),
                request.getQueryParams().toSingleValueMap(),
                body,
                user.orElse(null),
                host == null ? null : address(host));
    }

    /** A forwarded address has not been looked up. */
    private static String address(InetSocketAddress host) {
        return host.isUnresolved() ? host.getHostString() : host.getAddress().getHostAddress();
    }

    private static Mono<Void> write(ConsoleResponse answer, ServerHttpResponse response) {
        response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
        HttpHeaders headers = response.getHeaders();
        answer.headers().forEach(headers::set);
        byte[] body = answer.body();
        if (body.length == 0) {
            return response.setComplete();
        }
        headers.setContentLength(body.length);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }
}
