/** The test kit for Spock 2.4. */
@NullMarked
package dev.kermes.testkit.spock;

import org.jspecify.annotations.NullMarked;
