/**
 * Scripts: the Lua states of a server, what they know of Redis, and the run that is under way.
 * Knows neither keys nor clients; a {@link dev.kermes.server.script.ScriptHost} runs commands for
 * it. All of it is guarded by the keyspace lock.
 */
@org.jspecify.annotations.NullMarked
package dev.kermes.server.script;
