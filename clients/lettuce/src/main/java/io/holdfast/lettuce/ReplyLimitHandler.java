package io.holdfast.lettuce;

import io.holdfast.redis.client.ReplyLimit;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.group.ChannelGroup;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;

/** Closes a channel whose server breaks the {@link ReplyLimit}, before Lettuce parses what it sent. */
final class ReplyLimitHandler extends ChannelInboundHandlerAdapter {

    private final ReplyLimit limit = new ReplyLimit();
    private boolean broken;

    /**
     * Adds the handler to each channel, behind the decryption.
     *
     * @param channels gets each channel before it connects
     */
    record Installer(ChannelGroup channels) implements NettyCustomizer {

        @Override
        public void afterChannelInitialized(Channel channel) {
            channels.add(channel);
            ChannelHandlerContext parser = channel.pipeline().context(CommandHandler.class);
            channel.pipeline()
                    .addBefore(parser.name(), ReplyLimitHandler.class.getSimpleName(), new ReplyLimitHandler());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (!broken && message instanceof ByteBuf bytes) {
                limit.accept(bytes.nioBuffer());
            }
        } catch (IOException e) {
            broken = true;
            context.close();
        }
        if (broken) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }
}
