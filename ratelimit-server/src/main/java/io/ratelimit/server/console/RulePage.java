package io.ratelimit.server.console;

import org.jspecify.annotations.Nullable;

/**
 * One rule in a form.
 *
 * @param visit who looks, at which service
 * @param tag the tag of the version that the form was made from
 * @param rule the name of the rule that is changed, or null for a new one
 * @param form what the fields hold
 * @param rest what else the rule says, as YAML
 * @param errors what is wrong
 */
record RulePage(Visit visit, String tag, @Nullable String rule, RuleForm form, String rest, FormErrors errors)
        implements Page {

    /** Where the form is sent. */
    String action() {
        return visit.path() + (rule == null ? "/new-rule" : "/rules/" + rule);
    }

    @Override
    public String template() {
        return "rule.jte";
    }
}
