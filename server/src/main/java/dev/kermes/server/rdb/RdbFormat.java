package dev.kermes.server.rdb;

/**
 * The numbers of the format, by the names that they have in Redis (there with RDB_, or RDB_TYPE_
 * and RDB_OPCODE_ in front): the types of values, the opcodes between keys, the forms of lengths
 * and of strings, and the versions.
 */
final class RdbFormat {

  // Types of values

  static final int STRING = 0;
  static final int LIST = 1;
  static final int SET = 2;
  static final int ZSET = 3;
  static final int HASH = 4;
  static final int ZSET_2 = 5;
  static final int MODULE_PRE_GA = 6;
  static final int MODULE_2 = 7;
  static final int HASH_ZIPMAP = 9;
  static final int LIST_ZIPLIST = 10;
  static final int SET_INTSET = 11;
  static final int ZSET_ZIPLIST = 12;
  static final int HASH_ZIPLIST = 13;
  static final int LIST_QUICKLIST = 14;
  static final int STREAM_LISTPACKS = 15;
  static final int HASH_LISTPACK = 16;
  static final int ZSET_LISTPACK = 17;
  static final int LIST_QUICKLIST_2 = 18;
  static final int STREAM_LISTPACKS_2 = 19;
  static final int SET_LISTPACK = 20;
  static final int STREAM_LISTPACKS_3 = 21;

  /** Redis 7.4 before its release; Valkey 9 uses this number for another form. */
  static final int HASH_METADATA_PRE_GA = 22;

  static final int HASH_LISTPACK_EX_PRE_GA = 23;
  static final int HASH_METADATA = 24;
  static final int HASH_LISTPACK_EX = 25;
  static final int STREAM_LISTPACKS_4 = 26;
  static final int STREAM_LISTPACKS_5 = 27;
  static final int ARRAY = 28;

  // Opcodes between keys

  static final int KEY_META = 243;
  static final int SLOT_INFO = 244;
  static final int FUNCTION = 245;
  static final int FUNCTION_PRE_GA = 246;
  static final int MODULE_AUX = 247;
  static final int IDLE = 248;
  static final int FREQ = 249;
  static final int AUX = 250;
  static final int RESIZE_DB = 251;
  static final int EXPIRE_MILLIS = 252;
  static final int EXPIRE_SECONDS = 253;
  static final int SELECT_DB = 254;
  static final int EOF = 255;

  // Lengths: the first two bits of the first byte, or all its bits

  static final int LEN_6_BIT = 0;
  static final int LEN_14_BIT = 1;
  static final int LEN_32_BIT = 0x80;
  static final int LEN_64_BIT = 0x81;

  /** No length: the other six bits of the byte name the encoding of a string. */
  static final int ENC_VAL = 3;

  // Encodings of strings, in the byte that begins with ENC_VAL

  static final int ENC_INT8 = 0xc0;
  static final int ENC_INT16 = 0xc1;
  static final int ENC_INT32 = 0xc2;
  static final int ENC_LZF = 0xc3;

  // Versions

  /** RDB version 10 (Redis 7.0): readable by every server that we exchange files with. */
  static final int VERSION = 10;

  /** Redis 7.4: hash fields can expire. */
  static final int VERSION_FIELD_EXPIRY = 12;

  /** Redis 8.8: arrays, and streams with idempotent producers and entries given back. */
  static final int VERSION_MAX = 14;

  /** Valkey's own numbering starts here; no server uses the numbers in between. */
  static final int VERSION_VALKEY = 80;

  private RdbFormat() {}

  /** The first two bits of the first byte of a length or string. */
  static int lengthType(int first) {
    return first >> 6;
  }

  static boolean isKnown(int version) {
    return version >= 1 && version <= VERSION_MAX || version == VERSION_VALKEY;
  }
}
