/** Who may do what: users with their passwords and rules, and the log of what was denied. */
@NullMarked
package dev.kermes.server.acl;

import org.jspecify.annotations.NullMarked;
