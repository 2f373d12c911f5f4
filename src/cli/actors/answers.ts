// What the command line draws of the API's answers. What it prints as JSON are the answers themselves.
import { z } from "zod";

const ActorRow = z.object({
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  state: z.string(),
  since: z.number(),
  wakeAt: z.number().nullable(),
  running: z.array(z.string()),
  attempts: z.number(),
  fault: z.boolean(),
  error: z.string(),
  rev: z.number(),
});
export type ActorRow = z.output<typeof ActorRow>;

export const ActorList = z.object({ items: z.array(ActorRow), total: z.number() });
export type ActorList = z.output<typeof ActorList>;

export const ActorDetail = z.object({
  ...ActorRow.omit({ fault: true, error: true, attempts: true }).shape,
  version: z.number(),
  meaning: z.string(),
  context: z.record(z.string(), z.unknown()),
  measured: z.record(z.string(), z.number()),
  next: z.array(z.string()),
  why: z.object({ event: z.string(), at: z.number(), actor: z.string(), text: z.string() }).nullable(),
  entered: z.object({ seq: z.number(), event: z.string(), at: z.number(), actor: z.string() }).nullable(),
  timers: z.array(z.object({ name: z.string(), event: z.string(), dueAt: z.number() })),
  effects: z.array(
    z.object({
      src: z.string(),
      attempt: z.number(),
      maxAttempts: z.number(),
      startedAt: z.number().nullable(),
      nextAttemptAt: z.number().nullable(),
      lastError: z.string(),
    }),
  ),
  fault: z.object({ at: z.number(), count: z.number(), message: z.string() }).nullable(),
});
export type ActorDetail = z.output<typeof ActorDetail>;

export const Journal = z.object({
  items: z.array(
    z.object({
      seq: z.number(),
      at: z.number(),
      event: z.string(),
      from: z.string().nullable(),
      to: z.string(),
      actor: z.string(),
      took: z.number(),
      changed: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
    }),
  ),
  total: z.number(),
});
export type Journal = z.output<typeof Journal>;

/** What an actor would do with an event. */
export const Preview = z.object({
  from: z.string(),
  to: z.string(),
  actions: z.array(z.object({ type: z.string(), name: z.string() })),
  taken: z.boolean(),
  refused: z.string(),
});
export type Preview = z.output<typeof Preview>;

export const Machines = z.object({ items: z.array(z.object({ kind: z.string() })) });

/** An event as people say it: of XState's own, the part that names what happened. */
export function eventWords(event: string): string {
  const after = /^xstate\.after\.([^.]+)\./.exec(event);
  if (after) return `after ${after[1] ?? ""}`;
  const ended = /^xstate\.(done|error)\.actor\.(?:\d+\.)?(.+)$/.exec(event);
  if (ended) return `${ended[2] ?? ""} ${ended[1] === "done" ? "done" : "failed"}`;
  return event === "xstate.init" ? "created" : event;
}
