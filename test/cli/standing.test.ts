// What the command line calls an account is the status that the panel gives it: it loads nothing of the panel, so the
// rule stands there a second time.
import { expect, test } from "vitest";
import { REASONS, statusOf } from "../../src/accounts/records/user-status.ts";
import { standingOf } from "../../src/cli/users/status-words.ts";
import type { User } from "../../src/cli/users/answers.ts";

const NOW = 1_800_000_000;
const WORDS = {
  pending: "waits for its first connection",
  expired: "expired",
  limited: "used up",
  active: "on",
};
const NOTHING: User = {
  id: 1,
  name: "ali",
  enable: true,
  disabledReason: "",
  desc: "",
  volume: 0,
  up: 0,
  down: 0,
  expiry: 0,
  duration: 0,
  activatedAt: 0,
  onlineAt: 0,
  subFetchedAt: 0,
  subClient: "",
  subUrl: "",
  group: "",
  adminId: 0,
  since: 0,
  offBy: "",
};

// rules users.status.1, process.command.5
test("an account that is on is called as its status says", () => {
  const met = new Set<string>();
  for (const duration of [0, 86_400])
    for (const activatedAt of [0, NOW - 5])
      for (const expiry of [0, NOW - 1, NOW, NOW + 1])
        for (const [volume, up, down] of [
          [0, 5, 5],
          [10, 4, 5],
          [10, 5, 5],
          [10, 9, 9],
        ] as const) {
          const user = { ...NOTHING, duration, activatedAt, expiry, volume, up, down };
          const status = statusOf(user, user, NOW);
          met.add(status);
          expect([user, standingOf(user, NOW).words]).toEqual([user, status === "disabled" ? "" : WORDS[status]]);
        }
  expect([...met].toSorted()).toEqual(Object.keys(WORDS).toSorted());
});

test("each reason to be off has words of its own", () => {
  const words = REASONS.map((disabledReason) => standingOf({ ...NOTHING, enable: false, disabledReason }, NOW).words);
  expect(new Set(words).size).toBe(REASONS.length);
  expect(words).not.toContain("off");
});
