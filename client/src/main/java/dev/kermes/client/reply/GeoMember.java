package dev.kermes.client.reply;

/**
 * A member of a geo set: a value with its position.
 *
 * @param value the member
 * @param longitude in degrees, from -180 to 180
 * @param latitude in degrees, from -85.05112878 to 85.05112878
 */
public record GeoMember<V>(V value, double longitude, double latitude) {}
