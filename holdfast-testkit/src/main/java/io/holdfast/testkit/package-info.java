/** Real redis-servers for tests, and a proxy that injects network faults in front of them. */
@NullMarked
package io.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
