package dev.kermes.commands;

/**
 * The commands of one data file.
 *
 * @param name the file's name without its ending: {@code sortedsets}
 * @param className the server's class with their handlers, in its package below that of all
 *     commands: {@code sortedset.SortedSetCommands}
 * @param group the group that COMMAND DOCS reports: {@code sorted-set}
 */
public record CommandFamily(String name, String className, String group) {}
