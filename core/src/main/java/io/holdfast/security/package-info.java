/** The security of connections, in types of the JDK: trusted certificates, client certificates, users and passwords. */
@NullMarked
package io.holdfast.security;

import org.jspecify.annotations.NullMarked;
