/** Jobs in real processes: applications of Spring Boot, tasks of ShedLock, and the command. */
@NullMarked
package io.holdfast.jobs.process;

import org.jspecify.annotations.NullMarked;
