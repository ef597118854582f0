/** The counters, rates and logs that INFO, SLOWLOG, LATENCY and HOTKEYS report. */
@NullMarked
package dev.kermes.server.stats;

import org.jspecify.annotations.NullMarked;
