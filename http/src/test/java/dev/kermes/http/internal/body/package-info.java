@NullMarked
package dev.kermes.http.internal.body;

import org.jspecify.annotations.NullMarked;
