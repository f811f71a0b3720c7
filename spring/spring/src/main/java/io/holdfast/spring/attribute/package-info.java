/**
 * The attributes of an annotation, which are texts: the name of a lock, and durations. For the other packages of this
 * module.
 */
@NullMarked
package io.holdfast.spring.attribute;

import org.jspecify.annotations.NullMarked;
