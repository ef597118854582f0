/**
 * The execution of commands: finding them in the table, checking them, calling their handlers, and
 * running scripts. Only event loops and the loading of files use this package.
 */
@NullMarked
package dev.kermes.server.execution;

import org.jspecify.annotations.NullMarked;
