/** The test kit for JUnit 5.12 and newer, and JUnit 6. */
@NullMarked
package dev.kermes.testkit.junit;

import org.jspecify.annotations.NullMarked;
