/** Nodes that are a whole Redis Cluster, whose shards have one vote together. Not exported. */
@NullMarked
package io.holdfast.redis.cluster;

import org.jspecify.annotations.NullMarked;
