/** Lua 5.1 without native code. */
module dev.kermes.lua {
  requires org.objectweb.asm;
  requires static transitive org.jspecify;

  exports dev.kermes.lua;
  exports dev.kermes.lua.lib;
}
