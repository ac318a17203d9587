package io.ratelimit.core.retrieve;

import io.ratelimit.core.retrieve.RulesStatus.Push;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens to a rules service, again and again, until it is stopped. */
final class PushLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PushLoop.class);

    private final EventsClient client;
    private final Consumer<String> tags;
    private final PushSchedule schedule;
    private final RandomGenerator random;
    private volatile boolean stopped;
    private volatile Push state = Push.NONE;
    private Push reported = Push.NONE;
    private int failures;

    /**
     * Makes a loop.
     *
     * @param tags hears the tag of each document that is published, on the thread of the HTTP client
     */
    PushLoop(EventsClient client, Consumer<String> tags, PushSchedule schedule, RandomGenerator random) {
        this.client = client;
        this.tags = tags;
        this.schedule = schedule;
        this.random = random;
    }

    /** Ends the loop; an interrupt makes that short. */
    void stop() {
        stopped = true;
    }

    Push state() {
        return state;
    }

    @Override
    public void run() {
        while (!stopped) {
            try {
                Pause.SLEEP.sleep(listen());
            } catch (InterruptedException e) {
                // By stop(), or by somebody whose interrupt must not end the listening for good.
            }
        }
    }

    /** Listens for as long as it goes. Returns the pause before the next time. */
    private Duration listen() throws InterruptedException {
        try (EventStream stream = client.open(event -> event.publishedTag().ifPresent(tags))) {
            connected();
            while (!stream.endsWithin(schedule.steady(), schedule.silence())) {
                failures = 0;
                connected();
            }
            lost("the stream has ended", false);
        } catch (InterruptedException e) {
            throw e;
        } catch (EventsClient.RefusedException e) {
            lost(OneLine.of(e), true);
            return schedule.pauseWhenRefused(random);
        } catch (Throwable e) {
            // An Error among them: the next time may well succeed.
            lost(OneLine.of(e), false);
        }
        return schedule.pause(failures, random);
    }

    /** A service that lets go of each stream soon is not taken for one that pushes. */
    private void connected() {
        state = Push.CONNECTED;
        if (failures < 2 && reported != Push.CONNECTED) {
            reported = Push.CONNECTED;
            LOG.info("Changes of the rules are pushed from {}", client.location());
        }
    }

    /** Streams end, for a restart of the service or by a proxy: that is no news before the next attempt fails as well. */
    private void lost(String reason, boolean refused) {
        state = Push.LOST;
        failures = failures == Integer.MAX_VALUE ? failures : failures + 1;
        boolean passing = reported == Push.CONNECTED && failures == 1 && !refused;
        if (passing || reported == Push.LOST) {
            LOG.debug("Changes of the rules are not pushed from {}: {}", client.location(), reason);
        } else {
            reported = Push.LOST;
            LOG.warn("Changes of the rules are not pushed, polling goes on: {}: {}", client.location(), reason);
        }
    }
}
