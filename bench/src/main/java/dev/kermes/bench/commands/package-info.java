/** Every command that has a data cost, by a table of cases: see {@code CaseFileReader}. */
@NullMarked
package dev.kermes.bench.commands;

import org.jspecify.annotations.NullMarked;
