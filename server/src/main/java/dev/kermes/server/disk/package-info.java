/** The files that a server writes. Tests can replace the disk by a failing or forgetful one. */
@NullMarked
package dev.kermes.server.disk;

import org.jspecify.annotations.NullMarked;
