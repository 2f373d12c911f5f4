// Words of backups, in English.

export { page } from "./page/en.ts";

export const settingLabels = {
  backup_rehearse: "Try out each scheduled backup",
};

export const subjects = {
  backups: "Backup",
};

export const actions = {
  download: "downloaded",
};

export const refusals = {
  busy: "Another restore is at work. Wait for its end.",
  encrypted: "The archive is encrypted: it needs its passphrase.",
  format: "This is no archive of a panel, or it was altered.",
  no_admins: "Nobody could sign in with what the archive holds.",
  passphrase: "The archive has another passphrase, or was altered.",
};

export const actors = {
  restore: {
    name: "Restores",
    states: {
      snapshotting: "An archive of what is there now is being made.",
      building: "The archive is being checked and put into a new database beside the one in use.",
      exchanging: "Nodes that the archive does not know are told to stop, and the databases are being exchanged.",
      staged: "The new database waits beside the one in use; the next start of the panel exchanges them.",
      applied: "The panel runs on what the archive had.",
      failed: "The restore was given up; everything is as it was before.",
    },
    events: {},
    dues: {},
    deadlines: {
      snapshotDeadline: "the archive of what is there was not made in time",
      buildDeadline: "the new database was not built in time",
      exchangeDeadline: "the databases were not exchanged in time",
    },
    effects: {
      snapshot: "the archive of what is there",
      build: "the new database",
      exchange: "the exchange",
    },
    guards: {
      isRefusal: "the archive is not taken",
      isApplied: "it was exchanged already",
    },
  },
};

export const titles = {
  backups: "Backups",
  backup: "Archive",
  backupFile: "Archive file",
  backupSchedule: "Schedule of backups",
};
