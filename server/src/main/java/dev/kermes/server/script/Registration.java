package dev.kermes.server.script;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaValues;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@code redis.register_function}.
 *
 * <pre>
 *   redis.register_function('name', callback)
 *   redis.register_function{function_name='name', callback=callback, flags={'no-writes'},
 *                           description='text'}
 * </pre>
 */
final class Registration {

  private final LuaCall call;
  private final String function;
  private @Nullable String name;
  private @Nullable String description;
  private @Nullable Object callback;
  private Set<ScriptFlag> flags = EnumSet.noneOf(ScriptFlag.class);

  private Registration(LuaCall call, String function) {
    this.call = call;
    this.function = function;
  }

  /**
   * The function to register; an error of the script if something is wrong.
   *
   * @param name the called function's name, for errors
   */
  static LibraryFunction of(LuaCall call, String name) {
    Registration registration = new Registration(call, name);
    if (call.count() == 1) registration.takeNamed();
    else if (call.count() == 2) registration.takePositional();
    else throw registration.error("wrong number of arguments to " + name);
    return registration.function();
  }

  LuaError error(String message) {
    return Errors.raised(call.state(), message);
  }

  private LibraryFunction function() {
    if (name == null) throw error(function + " must get a function name argument");
    if (callback == null) throw error(function + " must get a callback argument");
    return new LibraryFunction(name, description, callback, flags);
  }

  private void takePositional() {
    LuaString first = call.stringOrNull(1);
    if (first == null) throw error("first argument to " + function + " must be a string");
    name = first.toString();
    callback = call.value(2);
    if (!LuaValues.isFunction(callback)) {
      throw error("second argument to " + function + " must be a function");
    }
  }

  private void takeNamed() {
    if (!(call.value(1) instanceof LuaTable arguments)) {
      throw error(
          "calling "
              + function
              + " with a single argument is only applicable to Lua table (representing named"
              + " arguments).");
    }
    for (Object k = arguments.nextKey(null); k != null; k = arguments.nextKey(k)) {
      if (!(k instanceof LuaString || k instanceof Double)) {
        throw error("named argument key given to " + function + " is not a string");
      }
      take(LuaValues.toLuaString(k).toString(), arguments.get(k));
    }
  }

  private void take(String key, @Nullable Object value) {
    switch (key) {
      case "function_name" -> name = string(key, value);
      case "description" -> description = string(key, value);
      case "callback" -> {
        callback = value;
        if (!LuaValues.isFunction(value)) {
          throw error("callback argument given to " + function + " must be a function");
        }
      }
      case "flags" -> takeFlags(value);
      default -> throw error("unknown argument given to " + function);
    }
  }

  private String string(String key, @Nullable Object value) {
    if (value instanceof LuaString || value instanceof Double) {
      return LuaValues.toLuaString(value).toString();
    }
    throw error(key + " argument given to " + function + " must be a string");
  }

  private void takeFlags(@Nullable Object value) {
    if (!(value instanceof LuaTable labels)) {
      throw error("flags argument to " + function + " must be a table representing function flags");
    }
    for (int i = 1; labels.get(i) != null; i++) {
      ScriptFlag flag = ScriptFlag.labelled(LuaValues.toLuaString(labels.get(i)).toString());
      if (flag == null) throw error("unknown flag given");
      flags.add(flag);
    }
  }
}
