package dev.kermes.client.reply;

import org.jspecify.annotations.Nullable;

/**
 * A member found by a geo search, with the requested attributes.
 *
 * @param distance from the centre in the search's unit; null without WITHDIST
 * @param hash the position as 52 bits; null without WITHHASH
 * @param place null without WITHCOORD
 */
public record GeoMatch<V>(
    V member, @Nullable Double distance, @Nullable Long hash, @Nullable GeoPoint place) {}
