/** Tests of the answers to requests whose lock was refused. */
@NullMarked
package io.holdfast.spring.boot.web;

import org.jspecify.annotations.NullMarked;
