/** The servers on which the libraries keep their locks: Redis, ZooKeeper and etcd, started for one scenario. */
@NullMarked
package io.holdfast.benchmarks.server;

import org.jspecify.annotations.NullMarked;
