package dev.kermes.server.data.geo;

/** The area between two longitudes and two latitudes, in degrees. */
record GeoBounds(double longitudeMin, double latitudeMin, double longitudeMax, double latitudeMax) {

  GeoPoint middle() {
    return new GeoPoint((longitudeMin + longitudeMax) / 2, (latitudeMin + latitudeMax) / 2);
  }
}
