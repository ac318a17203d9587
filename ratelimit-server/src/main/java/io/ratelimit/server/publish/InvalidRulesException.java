package io.ratelimit.server.publish;

import io.ratelimit.server.document.Finding;
import io.ratelimit.server.document.RulesReview;
import java.util.List;

/** Rules are not valid; nothing was done with them. */
public final class InvalidRulesException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Finding> findings;

    InvalidRulesException(RulesReview review) {
        super(message(review.findings()));
        this.findings = review.findings();
    }

    private static String message(List<Finding> findings) {
        return findings.size() + (findings.size() == 1 ? " mistake" : " mistakes") + ", of which the first is: "
                + findings.get(0);
    }

    /**
     * What is wrong.
     *
     * @return at least one finding, in the document's order
     */
    public List<Finding> findings() {
        return findings;
    }
}
