package io.ratelimit;

/**
 * Works out what a request costs from the request itself, such as the size of the page that it asks for. Entries of
 * {@code costs} in a rules file name it as their {@code resolver}. Found by {@link java.util.ServiceLoader}, which needs
 * a public constructor without parameters, or handed to the engine's builder.
 *
 * <p>Called on the deciding thread, so an implementation must be thread-safe and quick.
 */
public interface CostResolver {

    /**
     * The name that rules files know this resolver by. Asked once, when the engine is built.
     *
     * @return a name of letters, digits, {@code .}, {@code _} and {@code -}, always the same
     */
    String name();

    /**
     * Works out a cost. Asked once each time a request is decided, if the entry that names this resolver is the one
     * that holds for the request.
     *
     * @param request the request, with the attributes that {@linkplain AttributeResolver resolvers} find
     * @return the cost in tokens, at least 0; 0 looks without charging. For a negative one, or where something is
     *     thrown, the {@code cost} of the entry stands in, which is reported once for each resolver
     */
    long cost(RequestContext request);
}
