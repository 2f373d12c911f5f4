// A disk of so many bytes, for tests: real files, but writes beyond the limit fail as they do on a full disk, half
// done.
import { open } from "node:fs/promises";
import type { OpenRecordFile } from "../../src/agent/record-log.ts";

export interface FullDisk {
  /** Bytes that may still be written. */
  free: number;
  /** Syncs fail while true. */
  syncFails: boolean;
  readonly openFile: OpenRecordFile;
}

export function fullDisk(free: number): FullDisk {
  const disk: FullDisk = {
    free,
    syncFails: false,
    openFile: async (path, fresh) => {
      await (await open(path, fresh ? "w" : "a", 0o600)).close();
      const file = await open(path, "r+");
      return {
        async write(data, offset, length, position) {
          const allowed = Math.min(length, disk.free);
          disk.free -= allowed;
          if (allowed > 0) await file.write(data, offset, allowed, position);
          if (allowed < length) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
          return { bytesWritten: allowed };
        },
        readFile: () => file.readFile(),
        truncate: (length) => file.truncate(length),
        datasync: () => (disk.syncFails ? Promise.reject(new Error("EIO: i/o error")) : file.datasync()),
        close: () => file.close(),
      };
    },
  };
  return disk;
}
