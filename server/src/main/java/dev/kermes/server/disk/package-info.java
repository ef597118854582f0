/** Files as a server writes them; a test can put failing or forgetful ones in their place. */
@NullMarked
package dev.kermes.server.disk;

import org.jspecify.annotations.NullMarked;
