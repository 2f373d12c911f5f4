// Words of backups, in English.

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
  format: "This is no archive of a panel, or it was altered.",
};
