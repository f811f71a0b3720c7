/** The redis-server program: found on this machine, or unpacked from the build's own artifact. */
@NullMarked
package io.holdfast.servers.binary;

import org.jspecify.annotations.NullMarked;
