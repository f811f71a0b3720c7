/** Jobs in real processes: the command, and an application of Spring Boot that shows them. */
@NullMarked
package io.holdfast.jobs.process;

import org.jspecify.annotations.NullMarked;
