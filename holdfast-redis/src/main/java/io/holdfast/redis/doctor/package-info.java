/** The administrator's view of one server: states of locks, and findings of an examination. Not exported. */
@NullMarked
package io.holdfast.redis.doctor;

import org.jspecify.annotations.NullMarked;
