package io.ratelimit.core.retrieve;

import io.ratelimit.rules.RulesSource;

/** A source that knows how often it is worth asking. */
interface PolledRulesSource extends RulesSource {

    PollSchedule defaultSchedule();
}
