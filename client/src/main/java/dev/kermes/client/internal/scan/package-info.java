/**
 * Results page by page: scans over one or all servers, and publishers that request one page at a
 * time.
 */
@NullMarked
package dev.kermes.client.internal.scan;

import org.jspecify.annotations.NullMarked;
