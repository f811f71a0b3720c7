/** Addresses of nodes from containers of tests and from Docker Compose. */
@NullMarked
package io.holdfast.spring.boot.connect;

import org.jspecify.annotations.NullMarked;
