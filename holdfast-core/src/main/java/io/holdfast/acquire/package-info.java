/** Acquisitions: attempts until one is granted, and the local queue of the waiters of one client. Not exported. */
@NullMarked
package io.holdfast.acquire;

import org.jspecify.annotations.NullMarked;
