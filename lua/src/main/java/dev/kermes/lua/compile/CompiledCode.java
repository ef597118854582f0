package dev.kermes.lua.compile;

/** A function, or a loop of it, in a form that is faster to execute; for the interpreter. */
public interface CompiledCode {}
