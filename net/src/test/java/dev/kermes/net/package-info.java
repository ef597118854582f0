@NullMarked
package dev.kermes.net;

import org.jspecify.annotations.NullMarked;
