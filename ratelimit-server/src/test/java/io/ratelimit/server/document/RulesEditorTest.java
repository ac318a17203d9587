package io.ratelimit.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.ratelimit.rules.RulesException;
import io.ratelimit.server.document.RuleEditException.Reason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RulesEditorTest {

    private static final String BLOCK = """
            # The orders API.
            service: orders      # one of three

            rules:
              # Everybody.
              - name: everyone
                match: { path: /api/** }   # all of it
                limits: [20/s burst 40, 500/h]   # both

              # Who guesses passwords.
              - name: login
                match: { path: /login }
                limits: 5 per 15m  # be strict

            # The rest.
            clients: [ user,ip ]
            """;

    private final RulesEditor editor = new RulesEditor();

    @Test
    void aNewRuleGoesToTheEndOfTheList() throws Exception {
        String edited = editor.create(BLOCK, "# What costs.\nname: exports\nlimits: 2/m  # they are dear\n");
        assertThat(edited).isEqualTo(BLOCK.replace("# be strict\n", """
                        # be strict
                          # What costs.
                          - name: exports
                            limits: 2/m  # they are dear
                        """));
    }

    @Test
    void aRuleIsReplacedWhereItStandsAndTheRestStays() throws Exception {
        String edited = editor.replace(BLOCK, "everyone", """
                name: all
                # Measured in May.
                limits:
                  - 30/s
                """);
        assertThat(edited).isEqualTo(BLOCK.replace("""
                - name: everyone
                    match: { path: /api/** }   # all of it
                    limits: [20/s burst 40, 500/h]   # both
                """, """
                - name: all
                    # Measured in May.
                    limits:
                      - 30/s   # both
                """));
    }

    @Test
    void aRuleIsRemovedWithItsLinesAlone() throws Exception {
        assertThat(editor.remove(BLOCK, "everyone")).isEqualTo(withoutLines(6, 8));
        assertThat(editor.remove(BLOCK, "login")).isEqualTo(withoutLines(11, 13));
    }

    private static String withoutLines(int first, int last) {
        List<String> lines = new ArrayList<>(BLOCK.lines().toList());
        lines.subList(first - 1, last).clear();
        return String.join("\n", lines) + "\n";
    }

    @Test
    void aListThatRunsEmptyTakesANewRuleAgain() throws Exception {
        String one = "service: orders\nrules: # by hand\n- name: all\n  limits: 1/s\nclients: [ip]\n";
        String none = editor.remove(one, "all");
        assertThat(none).isEqualTo("service: orders\nrules: [] # by hand\nclients: [ip]\n");
        assertThat(editor.create(none, "name: all\nlimits: 1/s"))
                .isEqualTo("service: orders\nrules: # by hand\n  - name: all\n    limits: 1/s\nclients: [ip]\n");
    }

    @Test
    void aDocumentKeepsItsLineBreaksAndItsUnfinishedLine() throws Exception {
        String windows = "service: orders\r\nrules:\r\n- name: a\r\n  limits: 1/s";
        assertThat(editor.create(windows, "name: b\nlimits: 2/s\n"))
                .isEqualTo(windows + "\r\n- name: b\r\n  limits: 2/s");
        assertThat(editor.replace(windows, "a", "name: b\nlimits: 2/s\n"))
                .isEqualTo("service: orders\r\nrules:\r\n- name: b\r\n  limits: 2/s");
        assertThat(editor.remove(editor.create(windows, "name: b\nlimits: 2/s\n"), "b"))
                .isEqualTo(windows + "\r\n");
    }

    @Test
    void whatStandsBehindAnEmojiIsFoundToo() throws Exception {
        String document = "\uFEFFservice: orders # \uD83D\uDE00\nrules:\n  - { name: a, limits: 1/s } # \uD83D\uDE00\n"
                + "  - { name: b, limits: 2/s }\n";
        assertThat(editor.replace(document, "b", "{\"name\": \"c\", \"limits\": \"3/s\"}"))
                .isEqualTo(document.replace("{ name: b, limits: 2/s }", "{ name: c, limits: 3/s }"));
    }

    @Test
    void listsInBracketsStayListsInBrackets() throws Exception {
        String document = "service: orders\nrules: [ { name: a, limits: 1/s }, # first\n  {name: b, limits: 2/s}, ]\n";
        assertThat(editor.create(document, "name: c\nmatch: { path: \"/users/{id}\" }\nlimits: 3/s"))
                .isEqualTo("service: orders\nrules: [ { name: a, limits: 1/s }, # first\n  {name: b, limits: 2/s},\n"
                        + "  { name: c, match: { path: \"/users/{id}\" }, limits: 3/s }, ]\n");
        assertThat(editor.replace(document, "a", "{ name: d, limits: 4/s }"))
                .isEqualTo(document.replace("{ name: a, limits: 1/s }", "{ name: d, limits: 4/s }"));
        assertThat(editor.remove(document, "a"))
                .isEqualTo("service: orders\nrules: [ # first\n  {name: b, limits: 2/s}, ]\n");
        assertThat(editor.remove(document, "b"))
                .isEqualTo("service: orders\nrules: [ { name: a, limits: 1/s }, # first\n  ]\n");
    }

    @Test
    void aCommentBeforeTheOnlyRuleInBracketsStays() throws Exception {
        String document = "service: orders\nrules: [ # mine\n  { name: a, limits: 1/s } ]\n";
        assertThat(editor.remove(document, "a")).isEqualTo("service: orders\nrules: [ # mine\n ]\n");
    }

    @Test
    void aRuleIsNotRemovedWhereAnotherWouldChange() {
        String document = """
                service: orders
                rules:
                  - name: a
                    limits: |
                      1/s
                  - name: b
                    limits: 2/s
                      # This would become a line of the text above.
                  - name: c
                    limits: 3/s
                """;
        assertThatExceptionOfType(RuleEditException.class)
                .isThrownBy(() -> editor.remove(document, "b"))
                .extracting(RuleEditException::reason)
                .isEqualTo(Reason.LAYOUT);
    }

    @Test
    void mergeKeysAreNoPartOfRules() {
        String document = """
                service: orders
                rules:
                  - &a
                    name: a
                    limits: 1/s
                  - <<: *a
                    name: b
                """;
        assertThatExceptionOfType(RulesException.class)
                .isThrownBy(() -> editor.remove(document, "b"))
                .withMessageContaining("unknown field '<<'");
    }

    @Test
    void theFirstAndTheLastOfAListInBracketsGoWithTheirComma() throws Exception {
        String document = "service: orders\nrules: [{name: a, limits: 1/s}, {name: b, limits: 2/s}]\n";
        assertThat(editor.remove(document, "a")).isEqualTo("service: orders\nrules: [{name: b, limits: 2/s}]\n");
        assertThat(editor.remove(document, "b")).isEqualTo("service: orders\nrules: [{name: a, limits: 1/s}]\n");
        assertThat(editor.remove(editor.remove(document, "b"), "a")).isEqualTo("service: orders\nrules: []\n");
    }

    @Test
    void jsonStaysJson() throws Exception {
        String document = """
                {
                	"service": "orders",
                	"rules": [
                		{"name": "a", "limits": ["1/s"]},
                		{"name": "b", "limits": ["2/s"]}
                	]
                }
                """;
        String edited = editor.create(document, "name: c\nmatch: { path: /c }\nlimits: 3/s # often\n");
        assertThat(edited).isEqualTo(document.replace("[\"2/s\"]}\n", """
                ["2/s"]},
                		{
                			"name": "c",
                			"match": {
                				"path": "/c"
                			},
                			"limits": "3/s"
                		}
                """));
        assertThat(editor.remove(edited, "c")).isEqualTo(document);
        assertThat(editor.create("{\"service\":\"orders\",\"rules\":[]}", "name: c\nlimits: 3/s"))
                .isEqualTo("{\"service\":\"orders\",\"rules\":[{\"name\":\"c\",\"limits\":\"3/s\"}]}");
    }

    @Test
    void whatAnotherRuleRefersToIsNotTakenAway() {
        String document = """
                service: orders
                rules:
                  - name: a
                    limits: &usual [1/s, 5/h]
                  - name: b
                    limits: *usual
                """;
        assertThatExceptionOfType(RuleEditException.class)
                .isThrownBy(() -> editor.remove(document, "a"))
                .withMessage(
                        "rule 'a' holds the anchor '&usual', which line 6 uses; write out there what it stands for,"
                                + " then change the rule")
                .extracting(RuleEditException::reason)
                .isEqualTo(Reason.USED_ELSEWHERE);
    }

    @Test
    void whoRefersToSomethingElseCanBeEdited() throws Exception {
        String document = """
                service: orders
                rules: &all
                  - &first
                    name: a
                    limits: &usual [1/s, 5/h]
                  - name: b
                    limits: *usual
                """;
        assertThat(editor.replace(document, "b", "name: b\nlimits: 3/s")).isEqualTo(document.replace("*usual", "3/s"));
        assertThat(editor.remove(document, "b")).isEqualTo(document.replace("  - name: b\n    limits: *usual\n", ""));
        assertThat(RuleTree.find(document, "b").orElseThrow().yaml()).isEqualTo("name: b\nlimits: [1/s, 5/h]\n");
    }

    @Test
    void anAnchorThatWouldChangeAnotherRuleIsRefused() {
        String document = """
                service: orders
                rules:
                  - name: a
                    limits: &usual [1/s, 5/h]
                  - name: b
                    limits: 2/s
                  - name: c
                    limits: *usual
                """;
        assertThatExceptionOfType(RuleEditException.class)
                .isThrownBy(() -> editor.replace(document, "b", "name: b\nlimits: &usual [7/s]"))
                .extracting(RuleEditException::reason)
                .isEqualTo(Reason.LAYOUT);
    }

    @Test
    void anAnchorThatWouldChangeASettingIsRefused() {
        String document = """
                service: orders
                rules:
                  - name: a
                    key: &who [ip]
                    limits: 1/s
                  - name: b
                    limits: 2/s
                clients: *who
                """;
        assertThatExceptionOfType(RuleEditException.class)
                .isThrownBy(() -> editor.replace(document, "b", "name: b\nkey: &who [user]\nlimits: 2/s"))
                .extracting(RuleEditException::reason)
                .isEqualTo(Reason.LAYOUT);
    }

    @Test
    void namesAreLookedAfter() {
        assertThatExceptionOfType(RuleEditException.class)
                .isThrownBy(() -> editor.remove(BLOCK, "export"))
                .withMessage("there is no rule 'export' in the rules")
                .extracting(RuleEditException::reason)
                .isEqualTo(Reason.NO_SUCH_RULE);
        assertThatExceptionOfType(RuleEditException.class)
                .isThrownBy(() -> editor.replace(BLOCK, "login", "name: everyone\nlimits: 1/s"))
                .withMessage("there is another rule 'everyone' in the rules; choose another name")
                .extracting(RuleEditException::reason)
                .isEqualTo(Reason.NAME_TAKEN);
        assertThatExceptionOfType(RuleEditException.class)
                .isThrownBy(() -> editor.create(BLOCK, "name: login\nlimits: 1/s"))
                .extracting(RuleEditException::reason)
                .isEqualTo(Reason.NAME_TAKEN);
    }

    @Test
    void aRuleThatTheDocumentMayNotHoldIsRefusedWithItsLine() {
        assertThatExceptionOfType(RulesException.class)
                .isThrownBy(() -> editor.create(BLOCK, "name: exports\nlimit: 1/s"))
                .satisfies(e -> {
                    assertThat(e.problems().get(0).toString())
                            .startsWith("the rules:15:5: rule 'exports', field rules[2].limit: unknown field 'limit'");
                });
        assertThatExceptionOfType(RulesException.class)
                .isThrownBy(() -> editor.create(BLOCK, "name: [exports"))
                .withMessageStartingWith("the rule:1:15: this is not YAML: ");
        assertThatExceptionOfType(RulesException.class)
                .isThrownBy(() -> editor.create(BLOCK, "- name: exports"))
                .withMessageStartingWith("the rule:1:1: one rule is a mapping");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "service: orders\n? rules\n: - name: a\n    limits: 1/s\n  - name: b\n    limits: 2/s\n",
                "service: orders\nrules:\n  - name: a\n    limits: |\n      1/s\n\n  # b\n  - name: b\n    limits: 2/s\n",
                "service: orders\nrules:\n  -\n    # mine\n    name: a\n    limits: 1/s\n  - # yours\n    name: b\n    limits: >-\n     2/s\n\n\n",
                "rules:\n- {name: a, limits: 1/s}\n-   name: b\n    limits: 2/s\nservice: orders",
                "--- # start\nrules: [{\"name\":\"a\",\n  limits: 1/s},{name: b, limits: 2/s # two\n  }]\nservice: orders\n...\n",
                "{rules: [], \"service\": \"orders\"}",
                "service: orders\nrules: [\n  # none\n]\n",
                "{\"rules\" : [ {\"name\":\"a\",\"limits\":\"1/s\"} ,{\"limits\":\"1/s\",\"name\":\"b\"}\n]\n, \"service\":\"orders\"}",
            })
    void whateverTheLayoutAnEditChangesOneRuleOrNone(String document) throws Exception {
        String[] edits = {"create", "replace a", "replace b", "remove a", "remove b"};
        for (String edit : edits) {
            String name = edit.substring(edit.length() - 1);
            try {
                String edited = edit.equals("create")
                        ? editor.create(document, "name: new\nlimits: [9/s]\n")
                        : edit.startsWith("replace")
                                ? editor.replace(document, name, "name: new\nlimits: [9/s]\n")
                                : editor.remove(document, name);
                RulesReview before = new RulesReviewer().review("before", document, null);
                RulesReview after = new RulesReviewer().review("after", edited, null);
                RulesChange change = RulesChange.between(
                        before.rules().orElseThrow(), after.rules().orElseThrow());
                assertThat(change.added()).as(edited).hasSize(edit.startsWith("remove") ? 0 : 1);
                assertThat(change.removed()).as(edited).hasSize(edit.equals("create") ? 0 : 1);
                assertThat(change.changed()).as(edited).isEmpty();
            } catch (RuleEditException e) {
                assertThat(e.reason()).as(edit + " of " + document).isIn(Reason.LAYOUT, Reason.NO_SUCH_RULE);
            } catch (RulesException e) {
                // What begins with a brace must be JSON.
                assertThat(document).startsWith("{rules");
            }
        }
    }
}
