@NullMarked
package io.holdfast.spring.leader;

import org.jspecify.annotations.NullMarked;
