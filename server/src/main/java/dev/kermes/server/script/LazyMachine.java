package dev.kermes.server.script;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A machine that is created on first use: most servers never run a script. */
final class LazyMachine {

  private final Supplier<Machine> maker;
  private @Nullable Machine machine;

  LazyMachine(Supplier<Machine> maker) {
    this.maker = maker;
  }

  Machine get() {
    Machine current = machine;
    if (current == null) {
      current = maker.get();
      machine = current;
    }
    return current;
  }

  /** Drops the machine with everything that it holds; the next one is new. */
  void drop() {
    machine = null;
  }

  /** Counts the approximate bytes that the machine's values occupy. */
  long countedBytes() {
    return machine == null ? 0 : machine.countedBytes();
  }
}
