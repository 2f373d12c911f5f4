// When the schedule's next archive is due, and which ones the retention deletes.
import { describe, expect, test } from "vitest";
import type { BackupFile } from "../../../src/backups/backup.schema.ts";
import { attemptAt, dueAt, newestOf, pastKeeping } from "../../../src/backups/schedule/due.ts";
import { hoursOf } from "../../../src/backups/schedule/schedule-settings.ts";

const NOW = 1_800_000_000;
const HOUR = 3600;
const daily = { enabled: true, intervalHours: 24 };

const file = (
  createdAt: number,
  name = `signalbox-20270115-0800${String(createdAt % 60).padStart(2, "0")}-aB3d.tar.gz`,
) => ({ name, createdAt, size: 1, encrypted: false, manifest: null, rehearsedAt: null, rehearsal: null }) as BackupFile;

describe("the next archive is due", () => {
  // rule backups.schedule.2
  test("an interval after the newest one, whoever made it", () => {
    expect(dueAt(daily, [file(NOW - HOUR), file(NOW - 9 * HOUR)], NOW)).toBe(NOW + 23 * HOUR);
    expect(dueAt(daily, [file(NOW - HOUR, "by-hand.tar.gz")], NOW)).toBe(NOW + 23 * HOUR);
    expect(dueAt({ enabled: true, intervalHours: 6 }, [file(NOW - 8 * HOUR)], NOW)).toBe(NOW - 2 * HOUR);
  });

  test("at once without any; what was before a restore is none", () => {
    expect(dueAt(daily, [], NOW)).toBe(NOW);
    const before = file(NOW - HOUR, "pre-restore-20270115-080000-aB3d.tar.gz");
    expect(dueAt(daily, [before], NOW)).toBe(NOW);
    expect(newestOf([before, file(NOW - 2 * HOUR)])?.createdAt).toBe(NOW - 2 * HOUR);
  });

  test("never while the schedule is off", () => {
    expect(dueAt({ ...daily, enabled: false }, [], NOW)).toBeNull();
  });

  test("an interval from now where the newest one is of the future", () => {
    expect(dueAt(daily, [file(NOW + 400 * 24 * HOUR)], NOW)).toBe(NOW + 24 * HOUR);
  });

  test("after 24 hours where the interval is 0", () => {
    expect([hoursOf(0), hoursOf(1), hoursOf(8760)]).toEqual([24, 1, 8760]);
  });
});

// rule backups.schedule.4
test("one that failed is tried again within the hour, whatever the clock did", () => {
  const failed = { at: NOW - 60, ok: false, error: "no room", name: "", size: 0 };
  expect(attemptAt(NOW - HOUR, failed, NOW)).toBe(NOW - 60 + HOUR / 2);
  expect(attemptAt(NOW - HOUR, { ...failed, at: NOW + 99 * HOUR }, NOW)).toBe(NOW + HOUR / 2);
  expect(attemptAt(NOW - HOUR, null, NOW)).toBe(NOW - HOUR);
  // One that the folder does not show is not made without end.
  expect(attemptAt(NOW, { ...failed, ok: true, at: NOW }, NOW)).toBe(NOW + HOUR / 2);
  expect(attemptAt(NOW + 24 * HOUR, { ...failed, ok: true, at: NOW }, NOW)).toBe(NOW + 24 * HOUR);
});

// rule backups.schedule.3
test("the retention leaves the newest, files with people's names, and what was before a restore", () => {
  const own = [3, 2, 1].map((age) => file(NOW - age));
  const others = [file(NOW - 9, "before-the-move.tar.gz"), file(NOW - 10, "pre-restore-20270115-080000-aB3d.tar.gz")];
  const all = [...own, ...others];
  expect(pastKeeping(all, 0)).toEqual([]);
  expect(pastKeeping(all, 3)).toEqual([]);
  expect(pastKeeping(all, 1)).toEqual(own.slice(1));
});
