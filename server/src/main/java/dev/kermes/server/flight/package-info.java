/** Events of Flight Recorder. */
@NullMarked
package dev.kermes.server.flight;

import org.jspecify.annotations.NullMarked;
