package io.holdfast.redis.transaction;

import io.holdfast.node.Reply;
import java.util.List;

/**
 * The outcome of a claim for the state that was read.
 *
 * @param reply the reply once the writes have been carried out
 * @param writes the commands of the transaction; none if nothing changes
 */
record Decision(Reply reply, List<List<String>> writes) {

    static Decision noWrites(Reply reply) {
        return new Decision(reply, List.of());
    }
}
