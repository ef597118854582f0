package dev.kermes.client;

import org.jspecify.annotations.Nullable;

/**
 * A member that a search of places has found, with what the search asked for.
 *
 * @param distance from the centre in the search's unit; null without WITHDIST
 * @param hash the place as 52 bits; null without WITHHASH
 * @param place null without WITHCOORD
 */
public record GeoMatch<V>(
    V member, @Nullable Double distance, @Nullable Long hash, @Nullable GeoPoint place) {}
