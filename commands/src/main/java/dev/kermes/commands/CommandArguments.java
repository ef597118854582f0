package dev.kermes.commands;

/** The arguments of a call as slices of byte arrays; argument 0 is the command's name. */
public interface CommandArguments {
  /** The number of arguments, the name included. */
  int argc();

  /** The array that contains an argument. */
  byte[] array(int index);

  /** Where the argument starts in its array. */
  int offset(int index);

  /** The length of the argument in bytes. */
  int length(int index);
}
