package dev.kermes.lua.compile;

/** A loop of a function in a form that is faster to execute; for the interpreter. */
public interface CompiledLoop {}
