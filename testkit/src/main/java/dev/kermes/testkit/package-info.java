/** Redis in tests: a server with a clock that a test moves, and scripted faults. */
@NullMarked
package dev.kermes.testkit;

import org.jspecify.annotations.NullMarked;
