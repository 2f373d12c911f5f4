// What the description of the API says of backups.
import type { Words } from "../http/index.ts";

export const backupsWords: Words = {};
