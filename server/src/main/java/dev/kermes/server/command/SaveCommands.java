package dev.kermes.server.command;

import dev.kermes.server.engine.Persistence;
import java.io.IOException;

/** Saving the data to the disk. */
final class SaveCommands {

  private static final String IN_PROGRESS = "ERR Background save already in progress";

  private SaveCommands() {}

  /** SAVE: saves the data while everybody waits. O(N). */
  static void save(Call call) {
    Persistence persistence = call.engine().persistence();
    if (persistence.isSaving()) {
      call.error(IN_PROGRESS);
      return;
    }
    try {
      persistence.save();
      call.reply().ok();
    } catch (IOException e) {
      call.error("ERR " + e.getMessage());
    }
  }

  /** BGSAVE [SCHEDULE]: saves the data as it is now, while commands go on. O(N). */
  static void bgsave(Call call) {
    boolean schedules = call.argc() > 1 && call.is(1, "SCHEDULE");
    if (call.argc() > 1 && !schedules) {
      call.syntaxError();
      return;
    }
    Persistence persistence = call.engine().persistence();
    if (!persistence.isSaving()) {
      begin(call, persistence);
    } else if (schedules) {
      persistence.scheduleSave();
      call.reply().simple("Background saving scheduled");
    } else {
      call.error(IN_PROGRESS);
    }
  }

  private static void begin(Call call, Persistence persistence) {
    try {
      persistence.saveInBackground();
      call.reply().simple("Background saving started");
    } catch (IOException e) {
      call.error("ERR " + e.getMessage());
    }
  }

  /** LASTSAVE: replies when the data was last saved, or the server started. O(1). */
  static void lastsave(Call call) {
    call.reply().integer(call.engine().persistence().lastSaveMillis() / 1000);
  }
}
