package dev.kermes.client.internal.command;

/** The property of a command that decides on which connection it may be sent. */
public enum CommandTrait {
  /** Changes no connection state and is answered at once. */
  PLAIN,
  /** May wait in the server: sent on a connection of its own. */
  BLOCKING,
  /** Changes the state of its connection: refused on a shared one. */
  STATEFUL,
  /** Has no reply, or several: refused everywhere. */
  UNANSWERED
}
