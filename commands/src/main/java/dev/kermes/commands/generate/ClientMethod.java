package dev.kermes.commands.generate;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.ReplyShape;
import dev.kermes.commands.generate.Plan.Parameter;
import java.util.List;
import java.util.StringJoiner;

/**
 * One generated method of the client.
 *
 * @param statements the body before it builds the command; a single {@code return} for a method
 *     that calls its twin
 */
record ClientMethod(
    CommandSpec spec,
    String name,
    List<Parameter> parameters,
    List<String> statements,
    ReplyShape reply) {

  String type() {
    return ReplyTypes.type(reply);
  }

  /** Whether the last parameter is a varargs of a type variable. */
  boolean isGenericVarargs() {
    return !parameters.isEmpty() && last().type().matches("[KV]\\.\\.\\.");
  }

  private Parameter last() {
    return parameters.get(parameters.size() - 1);
  }

  /** The parameters between the parentheses of the declaration. */
  String declaration() {
    StringJoiner list = new StringJoiner(", ");
    for (Parameter parameter : parameters) {
      list.add(parameter.toString());
    }
    return list.toString();
  }

  /** The parameters between the parentheses of a call. */
  String call() {
    StringJoiner list = new StringJoiner(", ");
    for (Parameter parameter : parameters) {
      boolean isVarargs = parameter.type().endsWith("...");
      list.add(isVarargs ? "Arrays.asList(" + parameter.name() + ")" : parameter.name());
    }
    return list.toString();
  }

  /** Whether it always builds the same command. */
  boolean isConstant() {
    return parameters.isEmpty() && !ReplyTypes.decoder(reply).contains("Codec");
  }

  /** The statements of a constant method as a single expression. */
  String chain() {
    StringBuilder chain = new StringBuilder();
    for (String statement : statements) {
      String call = statement.replaceFirst("^(CommandBuilder out = |out(?=\\.))", "");
      chain.append(call, 0, call.length() - 1);
    }
    return chain.toString();
  }

  boolean delegates() {
    return statements.size() == 1 && statements.get(0).startsWith("return ");
  }
}
