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
  encrypted: "The archive is encrypted: it needs its passphrase.",
  format: "This is no archive of a panel, or it was altered.",
  no_admins: "Nobody could sign in with what the archive holds.",
  passphrase: "The archive has another passphrase, or was altered.",
};

export const titles = {
  backups: "Backups",
  backup: "Archive",
  backupFile: "Archive file",
  backupSchedule: "Schedule of backups",
};
