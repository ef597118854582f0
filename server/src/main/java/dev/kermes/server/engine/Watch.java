package dev.kermes.server.engine;

/** A key that a session watches. */
record Watch(Database database, ByteKey key) {}
