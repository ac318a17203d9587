package io.ratelimit.rules;

import java.util.List;

/**
 * All rules of a service at one time.
 *
 * @param service the service's name; hosts of one cluster share the budgets of the same service
 * @param version orders the sets of one service: of two sets, the one with the greater version is newer
 * @param clients how clients are told apart: the first that a request carries
 * @param addresses how a client's address is found
 * @param exempt requests that no rule applies to
 * @param costs what requests cost; 1 token where none fits, and the most specific path where several do
 * @param store how the shared store is used by rules that do not say
 * @param rules the rules, in the order of the file
 */
public record RuleSet(
        String service,
        long version,
        List<Identity> clients,
        ClientAddressPolicy addresses,
        List<Condition> exempt,
        List<OperationCost> costs,
        StorePolicy store,
        List<Rule> rules) {

    /** How clients are told apart where a rules file does not say. */
    public static final List<Identity> DEFAULT_CLIENTS =
            List.of(Identity.of(Identity.Kind.USER), Identity.of(Identity.Kind.IP));

    /** Copies the lists. */
    public RuleSet {
        clients = List.copyOf(clients);
        exempt = List.copyOf(exempt);
        costs = List.copyOf(costs);
        rules = List.copyOf(rules);
    }

    /**
     * A set without rules, under which every request passes.
     *
     * @param service the service's name
     * @return a set older than any other
     */
    public static RuleSet open(String service) {
        return new RuleSet(
                service,
                Long.MIN_VALUE,
                DEFAULT_CLIENTS,
                ClientAddressPolicy.DEFAULT,
                List.of(),
                List.of(),
                StorePolicy.UNSET,
                List.of());
    }
}
