package dev.kermes.server.command.persistence;

import dev.kermes.server.command.Call;
import dev.kermes.server.disk.DiskFailure;
import dev.kermes.server.persistence.AppendOnly;
import dev.kermes.server.persistence.Persistence;
import java.io.IOException;

/** Saving the data to the disk. */
public final class SaveCommands {

  private static final String IN_PROGRESS = "ERR Background save already in progress";

  private SaveCommands() {}

  /** SAVE: saves the data while all clients wait. O(N). */
  public static void save(Call call) {
    Persistence persistence = call.engine().persistence();
    if (persistence.isSaving()) {
      call.error(IN_PROGRESS);
      return;
    }
    try {
      persistence.save();
      call.reply().ok();
    } catch (IOException e) {
      call.error("ERR cannot save: " + DiskFailure.reason(e));
    }
  }

  /**
   * BGSAVE [SCHEDULE | CANCEL]: saves the data as they are now, while commands continue; CANCEL, an
   * option of Valkey, gives up a save. O(N).
   */
  public static void bgsave(Call call) {
    if (call.argc() == 2 && call.is(1, "CANCEL")) {
      cancel(call);
      return;
    }
    boolean schedules = call.argc() == 2 && call.is(1, "SCHEDULE");
    if (call.argc() > 1 && !schedules) {
      call.syntaxError();
      return;
    }
    Persistence persistence = call.engine().persistence();
    if (!persistence.isWriting()) {
      begin(call, persistence);
    } else if (persistence.isSaving() && !schedules) {
      call.error(IN_PROGRESS);
    } else if (schedules) {
      persistence.scheduleSave();
      call.reply().simple("Background saving scheduled");
    } else {
      call.error(
          "ERR Another child process is active (AOF?): can't BGSAVE right now. Use BGSAVE SCHEDULE"
              + " in order to schedule a BGSAVE whenever possible.");
    }
  }

  private static void cancel(Call call) {
    Persistence persistence = call.engine().persistence();
    if (persistence.isSaving()) {
      persistence.giveUpSoon();
      call.reply().simple("Background saving cancelled");
    } else if (persistence.unscheduleSave()) {
      call.reply().simple("Scheduled background saving cancelled");
    } else {
      call.error("ERR Background saving is currently not in progress or scheduled");
    }
  }

  /**
   * BGREWRITEAOF: replaces the append only file by the data as they are now, while commands
   * continue. O(N).
   */
  public static void bgrewriteaof(Call call) {
    AppendOnly file = call.engine().appendOnly();
    if (file.rewrites().isRunning()) {
      call.error("ERR Background append only file rewriting already in progress");
    } else if (call.engine().persistence().isWriting() || call.isInTransaction()) {
      file.schedule();
      call.reply().simple("Background append only file rewriting scheduled");
    } else {
      try {
        file.rewrite();
        call.reply().simple("Background append only file rewriting started");
      } catch (IOException e) {
        call.error(
            "ERR Can't execute an AOF background rewriting. Please check the server logs for more"
                + " information.");
      }
    }
  }

  private static void begin(Call call, Persistence persistence) {
    try {
      persistence.saveInBackground();
      call.reply().simple("Background saving started");
    } catch (IOException e) {
      call.error("ERR cannot save: " + DiskFailure.reason(e));
    }
  }

  /** LASTSAVE: replies the time of the last save or of the server's start. O(1). */
  public static void lastsave(Call call) {
    call.reply().integer(call.engine().persistence().lastSaveMillis() / 1000);
  }
}
