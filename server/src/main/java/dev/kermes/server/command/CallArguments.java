package dev.kermes.server.command;

import dev.kermes.commands.CommandArguments;

/** The arguments of a call from {@code start} on, seen as a separate command. */
public record CallArguments(Call call, int start) implements CommandArguments {

  @Override
  public int argc() {
    return call.argc() - start;
  }

  @Override
  public byte[] array(int index) {
    return call.bytes();
  }

  @Override
  public int offset(int index) {
    return call.offset(start + index);
  }

  @Override
  public int length(int index) {
    return call.length(start + index);
  }
}
