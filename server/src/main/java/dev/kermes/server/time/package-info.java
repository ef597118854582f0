/** The clock of a server, which a test can control. */
@NullMarked
package dev.kermes.server.time;

import org.jspecify.annotations.NullMarked;
