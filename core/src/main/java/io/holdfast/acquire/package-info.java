/** Acquisitions: attempts until one is granted, and the local wait queues of one client. Not exported. */
@NullMarked
package io.holdfast.acquire;

import org.jspecify.annotations.NullMarked;
