/** The demonstration: three servers, three workers, and how each server fails. */
@NullMarked
package io.holdfast.cli.demo;

import org.jspecify.annotations.NullMarked;
