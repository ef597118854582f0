package dev.kermes.server.keyspace;

/**
 * A mask for branches that are needed only at times: {@code if ((++count & mask) == 0) rare()}.
 *
 * <p>The just-in-time compiler omits a branch that was never taken. When it is taken at last, for
 * instance because the first snapshot begins, the compiler throws away the code of the whole turn,
 * and for 0.3 seconds a loaded server executes only a fifth of its commands. A branch that is taken
 * rarely remains a call, so that only the called method needs compiling.
 */
public final class RareBranch {

  /** One of 4,096 passes takes the branch without need. */
  public static final int MASK = 4095;

  private RareBranch() {}
}
