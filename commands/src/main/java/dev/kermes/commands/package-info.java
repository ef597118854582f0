/** The command table: the properties of every Redis command, read from one data file per family. */
@NullMarked
package dev.kermes.commands;

import org.jspecify.annotations.NullMarked;
