/**
 * Scripts: the Lua states of a server, what they know of Redis, and the run that is under way.
 * Knows neither keys nor clients; a {@link dev.kermes.server.script.ScriptHost} runs commands for
 * it. All of it belongs to whoever has the floor.
 */
@org.jspecify.annotations.NullMarked
package dev.kermes.server.script;
