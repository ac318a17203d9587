package io.ratelimit.server.console;

import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;

/** Says in plain words what holds for all rules of a service. Immutable and thread-safe. */
final class SettingsWords {

    private static final int MOST = 20;

    /**
     * One setting.
     *
     * @param label what it is about
     * @param words what holds; one of several a line
     */
    record Setting(String label, List<String> words) {}

    private final RequestWords requests = new RequestWords();
    private final ClientWords clients = new ClientWords();
    private final RuleWords rules = new RuleWords();

    List<Setting> of(RuleSet set) {
        List<Setting> settings = new ArrayList<>();
        settings.add(new Setting("A client is", List.of(clients.inOrder(set.clients()))));
        List<String> proxies =
                set.addresses().trustedProxies().stream().map(requests::address).toList();
        if (!proxies.isEmpty()) {
            settings.add(new Setting(
                    "Addresses are read from " + set.addresses().header().headerName() + " if sent by",
                    List.of(RequestWords.or(proxies))));
        }
        add(settings, "Never limited", set.exempt().stream().map(requests::of).toList());
        add(settings, "Costs", set.costs().stream().map(this::cost).toList());
        add(settings, "Hosts", rules.store(set.store()));
        return settings;
    }

    private String cost(OperationCost cost) {
        String tokens = cost.cost() == 1 ? "1 token" : cost.cost() + " tokens";
        String words = requests.of(cost.match()) + ": ";
        return words + (cost.resolver() == null ? tokens : "as '" + cost.resolver() + "' says, or else " + tokens);
    }

    private static void add(List<Setting> settings, String label, List<String> words) {
        if (words.size() > MOST) {
            List<String> first = new ArrayList<>(words.subList(0, MOST));
            first.add("and " + (words.size() - MOST) + " more");
            settings.add(new Setting(label, first));
        } else if (!words.isEmpty()) {
            settings.add(new Setting(label, words));
        }
    }
}
