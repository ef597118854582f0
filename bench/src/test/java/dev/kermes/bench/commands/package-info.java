@NullMarked
package dev.kermes.bench.commands;

import org.jspecify.annotations.NullMarked;
