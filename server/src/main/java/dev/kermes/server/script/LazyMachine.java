package dev.kermes.server.script;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A machine that is made when it is first needed: most servers never run a script. */
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

  /** Lets go of it with all that it holds; the next one is new. */
  void drop() {
    machine = null;
  }

  /** Bytes that its values occupy, about; counts them. */
  long countedBytes() {
    return machine == null ? 0 : machine.countedBytes();
  }
}
