package dev.kermes.server.data.geo;

/** The area between two longitudes and two latitudes, in degrees. */
record GeoBounds(
    double longitudeMin, double latitudeMin, double longitudeMax, double latitudeMax) {}
