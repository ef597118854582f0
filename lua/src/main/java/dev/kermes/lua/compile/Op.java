package dev.kermes.lua.compile;

/**
 * The instructions, and their effect on registers {@code R[..]}, constants {@code K[..]}, captured
 * variables {@code U[..]}.
 *
 * <pre>
 *   C (32 bits, signed) | B (16) | A (8) | operation (8)
 * </pre>
 *
 * Jumps hold their target, as an index of the code, in C. Counts are stored plus one, so that 0 can
 * mean "up to the top of the stack".
 */
public final class Op {

  public static final int MOVE = 0; // R[A] = R[B]
  public static final int LOADK = 1; // R[A] = K[C]
  public static final int LOADNIL = 2; // R[A], ... B of them = nil
  public static final int LOADBOOL = 3; // R[A] = B != 0
  public static final int GETCELL = 4; // R[A] = value of the cell in R[B]
  public static final int SETCELL = 5; // value of the cell in R[A] = R[B]
  public static final int NEWCELL = 6; // R[A] = a new cell with nil
  public static final int BOX = 7; // R[A] = a new cell with R[A]
  public static final int GETUP = 8; // R[A] = U[B]
  public static final int SETUP = 9; // U[B] = R[A]
  public static final int GETGLOBAL = 10; // R[A] = globals[K[C]]
  public static final int SETGLOBAL = 11; // globals[K[C]] = R[A]
  public static final int GETINDEX = 12; // R[A] = R[B][R[C]]
  public static final int GETFIELD = 13; // R[A] = R[B][K[C]], a string
  public static final int GETINT = 14; // R[A] = R[B][C]
  public static final int SETINDEX = 15; // R[A][R[B]] = R[C]
  public static final int SETFIELD = 16; // R[A][K[C]] = R[B]
  public static final int SETINT = 17; // R[A][C] = R[B]
  public static final int NEWTABLE =
      18; // R[A] = {}, with B slots in its array part, C in the hash part
  public static final int SETLIST = 19; // R[A][C], ... = B - 1 values from R[A + 1] on
  public static final int SELF = 20; // R[A + 1] = R[B]; R[A] = R[B][K[C]]
  public static final int ADD = 21; // R[A] = R[B] + R[C], and so on
  public static final int SUB = 22;
  public static final int MUL = 23;
  public static final int DIV = 24;
  public static final int MOD = 25;
  public static final int POW = 26;
  public static final int ADDK = 27; // R[A] = R[B] + K[C], and so on
  public static final int SUBK = 28;
  public static final int MULK = 29;
  public static final int DIVK = 30;
  public static final int MODK = 31;
  public static final int POWK = 32;
  public static final int UNM = 33; // R[A] = -R[B]
  public static final int NOT = 34;
  public static final int LEN = 35;
  public static final int CONCAT = 36; // R[A] = R[B] .. ... .. R[C]
  public static final int JUMP = 37; // to C
  public static final int LOOP = 38; // likewise, backwards
  public static final int JT = 39; // if R[A] is true
  public static final int JF = 40; // if R[A] is false
  public static final int JEQ = 41; // if R[A] == R[B]
  public static final int JNE = 42;
  public static final int JEQK = 43; // if R[A] == K[B]
  public static final int JNEK = 44;
  public static final int JLT = 45; // if R[A] < R[B]
  public static final int JNLT = 46; // unless
  public static final int JLE = 47;
  public static final int JNLE = 48;
  public static final int JLTK = 49; // if R[A] < K[B]
  public static final int JNLTK = 50;
  public static final int JLEK = 51;
  public static final int JNLEK = 52;
  public static final int JGTK = 53; // if K[B] < R[A]
  public static final int JNGTK = 54;
  public static final int JGEK = 55;
  public static final int JNGEK = 56;
  public static final int CALL = 57; // C - 1 results to R[A], ... = R[A](B - 1 arguments)
  public static final int TAILCALL = 58; // return R[A](B - 1 arguments)
  public static final int RETURN = 59; // return B - 1 values from R[A] on
  public static final int FORPREP = 60; // R[A], R[A + 1], R[A + 2]: start, limit, step; to C
  public static final int FORLOOP = 61; // R[A + 3] = next, back to C while there is one
  public static final int TFORCALL = 62; // R[A + 3], ... B of them = R[A](R[A + 1], R[A + 2])
  public static final int TFORLOOP = 63; // R[A + 2] = R[A + 3], back to C unless it is nil
  public static final int CLOSURE = 64; // R[A] = function C
  public static final int VARARG = 65; // R[A], ... = B - 1 of the variable arguments

  public static final int COMPILED = 66; // end of a compiled loop, instead of *LOOP

  private Op() {}

  public static long encode(int op, int a, int b, int c) {
    return (long) c << 32 | (long) (b & 0xffff) << 16 | (a & 0xff) << 8 | op;
  }

  public static int op(long instruction) {
    return (int) instruction & 0xff;
  }

  public static int a(long instruction) {
    return (int) instruction >>> 8 & 0xff;
  }

  public static int b(long instruction) {
    return (int) instruction >>> 16;
  }

  public static int c(long instruction) {
    return (int) (instruction >>> 32);
  }
}
