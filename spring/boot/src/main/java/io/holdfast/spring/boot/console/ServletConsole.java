package io.holdfast.spring.boot.console;

import io.holdfast.console.ConsoleRequest;
import io.holdfast.console.ConsoleResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.HandlerMapping;

/** Serves the console with Spring MVC. */
record ServletConsole(HoldfastConsoleEndpoint endpoint) implements HttpRequestHandler {

    @Override
    public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Map<String, String> query = request.getParameterMap().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, parameter -> parameter.getValue()[0]));
        ConsoleResponse answer = endpoint.answer(
                new ServletServerHttpRequest(request),
                String.valueOf(request.getAttribute(HandlerMapping.PATH_WITHIN_HANDLER_MAPPING_ATTRIBUTE)),
                query,
                request.getInputStream().readNBytes(ConsoleRequest.LARGEST_BODY + 1),
                request.getRemoteUser(),
                request.getRemoteAddr());
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        byte[] body = answer.body();
        if (body.length > 0) {
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }
}
