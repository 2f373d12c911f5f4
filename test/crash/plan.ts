// Where a process is killed: fault points that the preload knows, a moment that the parent chooses, or a system call
// under ptrace.
import { z } from "zod";
import type { Dialect } from "../../src/db/index.ts";
import { oneOf, whole, type Random } from "./random.ts";

/**
 * Fault points of a process, each with what happens right before the kill. A commit's points count on the connection
 * that writes, an answer's on every HTTP answer, a delivery's on every webhook request, a link's on every message to an
 * agent.
 */
export const POINTS = [
  "commit.begun",
  "commit.statement",
  "commit.before",
  "commit.sent",
  "commit.after",
  "answer.before",
  "answer.half",
  "answer.after",
  "delivery.before",
  "delivery.half",
  "delivery.sent",
  "delivery.answered",
  "link.before",
  "link.after",
  "effect.before",
  "effect.after",
] as const;
export const Point = z.enum(POINTS);
export type Point = z.output<typeof Point>;

/**
 * What a process is told: to die at an occurrence of a point, counted from its start. `log`: the file that it names the
 * point in, as its last act.
 */
export const Fault = z.object({ point: Point, occurrence: z.int().min(1), log: z.string() });
export type Fault = z.output<typeof Fault>;

/** How rounds are ended. `mixed`: points and moments in turn. */
export const KILLS = ["moments", "points", "mixed", "syscalls"] as const;
export type Kill = (typeof KILLS)[number];

/** How the next process ends, unless it comes to the end of its commands before. */
export type Plan =
  | { readonly by: "moment"; readonly afterMs: number; readonly answers: number }
  | { readonly by: "point"; readonly point: Point; readonly occurrence: number }
  | { readonly by: "syscall"; readonly syscalls: string; readonly occurrence: number };

/** Occurrences that a round surely comes to; the draw leans to the small ones, so that starts are killed too. */
const MOST: Readonly<Record<Point, number>> = {
  "commit.begun": 120,
  "commit.statement": 800,
  "commit.before": 120,
  "commit.sent": 100,
  "commit.after": 120,
  "answer.before": 180,
  "answer.half": 180,
  "answer.after": 180,
  "delivery.before": 100,
  "delivery.half": 100,
  "delivery.sent": 100,
  "delivery.answered": 100,
  "link.before": 25,
  "link.after": 25,
  "effect.before": 100,
  "effect.after": 100,
};

/** What the two worlds have: a panel has no queued effects, the runtime alone neither HTTP nor links. */
export const PANEL_POINTS = POINTS.filter((point) => !point.startsWith("effect."));
export const RUNTIME_POINTS = POINTS.filter((point) => point.startsWith("commit.") || point.startsWith("effect."));
/** SQLite's COMMIT is one call: nothing lies between its sending and its answer. */
const POSTGRESQL_ONLY: ReadonlySet<Point> = new Set<Point>(["commit.sent"]);

/** System calls that change something outside, with occurrences in one thread that a round surely comes to. */
const SYSCALLS: Readonly<Record<Dialect, readonly (readonly [syscalls: string, most: number])[]>> = {
  sqlite: [
    ["pwrite64", 500],
    ["fdatasync,fsync", 100],
    ["write", 250],
    ["writev", 40],
  ],
  postgresql: [
    ["write", 400],
    ["writev", 150],
  ],
};
const LATEST_MS = 600;

export interface Choice {
  readonly kill: Kill;
  readonly dialect: Dialect;
  readonly points: readonly Point[];
  /** Share of the most commits of a panel's round; 1 unless given. */
  readonly share?: number;
}

/** Draws the end of one round. Takes the same numbers from `random` whatever comes of it. */
export function drawPlan(random: Random, { kill, dialect, points, share = 1 }: Choice): Plan {
  const [which, how, much, late] = [random(), random(), random(), random()];
  const draw = (value: number) => () => value;
  if (kill === "syscalls") {
    const [syscalls, most] = oneOf(draw(how), SYSCALLS[dialect]);
    return { by: "syscall", syscalls, occurrence: 1 + whole(draw(much), most) };
  }
  if (kill === "moments" || (kill === "mixed" && which < 0.3))
    return { by: "moment", afterMs: Math.floor(much ** 2 * LATEST_MS), answers: whole(draw(late), 200) };
  const there = points.filter((point) => dialect === "postgresql" || !POSTGRESQL_ONLY.has(point));
  const point = oneOf(draw(how), there);
  return {
    by: "point",
    point,
    occurrence: 1 + whole(draw(much ** 2), Math.ceil(MOST[point] * (point.startsWith("commit.") ? share : 1))),
  };
}

/**
 * Draws where the very first starts on an empty database are killed: among the statements that make its tables, and the
 * first rows.
 */
export function drawFirstPlan(random: Random): Plan {
  const [which, much] = [random(), random()];
  const point = which < 0.7 ? "commit.statement" : which < 0.85 ? "commit.before" : "commit.after";
  return { by: "point", point, occurrence: 1 + whole(() => much, point === "commit.statement" ? 160 : 12) };
}

/** A plan as a failed round names it. */
export function planText(plan: Plan): string {
  switch (plan.by) {
    case "moment":
      return `${plan.afterMs} ms after answer ${plan.answers}`;
    case "point":
      return `${plan.point} number ${plan.occurrence}`;
    case "syscall":
      return `system call ${plan.syscalls} number ${plan.occurrence}`;
  }
}
