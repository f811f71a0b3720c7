/**
 * The use of leases by calls of annotated methods: how it begins, is shared on a thread, and ends. For the other
 * packages of this module.
 */
@NullMarked
package io.holdfast.spring.use;

import org.jspecify.annotations.NullMarked;
