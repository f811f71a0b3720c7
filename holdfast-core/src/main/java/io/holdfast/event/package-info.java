/**
 * What the library tells its users: the state of a lease, its loss, and events worth a log line. Beside the other packages:
 * any of them may name what stands here, and nothing here names them.
 */
@NullMarked
package io.holdfast.event;

import org.jspecify.annotations.NullMarked;
