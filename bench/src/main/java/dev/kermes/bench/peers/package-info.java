/**
 * The servers that are compared: how each is started and what its process uses. Among the classes
 * are HTTP servers, ours and others', as programs with the arguments {@code PORT FOLDER}; they
 * serve the folder's files and {@code /hello/NAME}.
 */
@NullMarked
package dev.kermes.bench.peers;

import org.jspecify.annotations.NullMarked;
