package dev.kermes.client.reply;

/**
 * A point on the earth: a corner of an area.
 *
 * @param longitude in degrees, from -180 to 180
 * @param latitude in degrees, from -85.05112878 to 85.05112878
 */
public record GeoPoint(double longitude, double latitude) {}
