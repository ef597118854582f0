/**
 * Events of Flight Recorder. None is created unless {@code FlightRecorder.isInitialized()}: the
 * first would start all of it, which takes some 100 ms, perhaps under the keyspace lock.
 */
@NullMarked
package dev.kermes.server.flight;

import org.jspecify.annotations.NullMarked;
