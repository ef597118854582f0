/**
 * Other HTTP servers, and ours, as programs: {@code PORT FOLDER}, files and {@code /hello/NAME}.
 */
@NullMarked
package dev.kermes.bench.peers;

import org.jspecify.annotations.NullMarked;
