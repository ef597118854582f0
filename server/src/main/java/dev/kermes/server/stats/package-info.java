/** What INFO, SLOWLOG, LATENCY and HOTKEYS report about a server: counters, rates and logs. */
@NullMarked
package dev.kermes.server.stats;

import org.jspecify.annotations.NullMarked;
