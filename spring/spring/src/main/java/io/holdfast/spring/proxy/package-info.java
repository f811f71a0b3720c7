/**
 * Methods that a proxy has to intercept: the checks at startup, and the kinds of their results. For the other packages
 * of this module.
 */
@NullMarked
package io.holdfast.spring.proxy;

import org.jspecify.annotations.NullMarked;
