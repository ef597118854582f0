/** Redis's file of a data set, and the payload of DUMP: the same values in the same form. */
@NullMarked
package dev.kermes.server.rdb;

import org.jspecify.annotations.NullMarked;
