/** The administration of one server: the states of its locks, and its diagnosis. Not exported. */
@NullMarked
package io.holdfast.redis.doctor;

import org.jspecify.annotations.NullMarked;
