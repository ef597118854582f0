@NullMarked
package dev.kermes.http;

import org.jspecify.annotations.NullMarked;
