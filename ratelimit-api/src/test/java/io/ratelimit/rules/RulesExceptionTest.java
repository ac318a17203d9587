package io.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RulesExceptionTest {

    private static final RuleProblem PROBLEM =
            new RuleProblem("rules.yaml", 12, 5, "login", "rules[0].limits", "'5 per' has no period");

    @Test
    void aProblemSaysWhereItIsAndWhatIsWrongInOneLine() {
        assertThat(PROBLEM).hasToString("rules.yaml:12:5: rule 'login', field rules[0].limits: '5 per' has no period");
    }

    @Test
    void aProblemLeavesOutWhatIsNotKnown() {
        assertThat(new RuleProblem("rules.yaml", 0, 0, null, null, "the file is empty"))
                .hasToString("rules.yaml: the file is empty");
        assertThat(new RuleProblem("rules.yaml", 3, 1, null, "clients", "is empty"))
                .hasToString("rules.yaml:3:1: field clients: is empty");
    }

    @Test
    void theMessageTellsTheFirstProblemAndHowManyFollow() {
        assertThat(new RulesException(List.of(PROBLEM))).hasMessage(PROBLEM.toString());
        assertThat(new RulesException(List.of(PROBLEM, PROBLEM, PROBLEM))).hasMessage(PROBLEM + " (and 2 more)");
    }

    @Test
    void theProblemsCannotBeChangedAfterwards() {
        List<RuleProblem> problems = new ArrayList<>(List.of(PROBLEM));
        RulesException exception = new RulesException(problems);
        problems.clear();
        assertThat(exception.problems()).containsExactly(PROBLEM);
    }

    @Test
    void rulesAreNotRefusedForNothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RulesException(List.of()));
    }
}
