/** Commands for keys of any type: expiry, SCAN, SORT, DUMP, MIGRATE. */
@NullMarked
package dev.kermes.server.command.keys;

import org.jspecify.annotations.NullMarked;
