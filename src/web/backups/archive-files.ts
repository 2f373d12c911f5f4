// What the browser offers where an archive is chosen.
export const ARCHIVE_FILES = ".gz,.enc,application/gzip,application/octet-stream";
