/** RESP2 and RESP3: bytes to values and back; no I/O, no threads, no clock. */
@NullMarked
package dev.kermes.resp;

import org.jspecify.annotations.NullMarked;
