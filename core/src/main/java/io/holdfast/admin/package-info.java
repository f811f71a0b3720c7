/**
 * The administrator's view: which locks are held, whether the nodes are fit to vote, and how to break a lock or admit a
 * server.
 */
@NullMarked
package io.holdfast.admin;

import org.jspecify.annotations.NullMarked;
