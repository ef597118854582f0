/** Connections to the servers that keys are moved to. */
@NullMarked
package dev.kermes.server.migrate;

import org.jspecify.annotations.NullMarked;
