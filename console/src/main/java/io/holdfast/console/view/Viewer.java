package io.holdfast.console.view;

import java.util.Optional;

/** A viewer, who receives events. Used by one thread. */
public final class Viewer implements AutoCloseable {

    private final Feed feed;
    private final Runnable look;
    private long seen;
    private boolean isOpen = true;

    /**
     * Creates a viewer, whom the feed has counted.
     *
     * @param look notes a request, and starts the reader
     */
    Viewer(Feed feed, Runnable look) {
        this.feed = feed;
        this.look = look;
    }

    /**
     * Returns the next events as text of server-sent events: the whole state first, or after the viewer was too slow,
     * then what changes; a sign of life if nothing does. A comment, which is no sign of life, if the state could not be
     * read for some time.
     *
     * @return empty if the console has been closed
     */
    public Optional<String> next(long limitMillis) throws InterruptedException {
        look.run();
        Optional<Feed.News> news = feed.news(seen, limitMillis);
        seen = news.map(Feed.News::version).orElse(seen);
        return news.map(Feed.News::text);
    }

    /** Ends the look. */
    @Override
    public void close() {
        if (isOpen) {
            isOpen = false;
            feed.leave();
        }
    }
}
