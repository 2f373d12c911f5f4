// A job that a request starts and waits for, under an idempotency key: the repeat of a request that was cut off finds
// the job that the first one started, whatever process died meanwhile (rule jobs.bulk.7).
import { lock, type Draft, type Unit } from "../db/index.ts";
import { callerKey, type Caller } from "../http/index.ts";
import { sha256Hex } from "../lib/ids.ts";
import type { Origin } from "../lib/origin.ts";
import { JobRows, type JobRow } from "./job.entity.ts";
import type { JobOrder, Jobs } from "./jobs.ts";

/** A key means another request after a day (rule http.key.1). */
const KEY_SECONDS = 86_400;

export interface OnceDeps {
  readonly jobs: Jobs;
  readonly submit: <T>(unit: Unit<T>) => Promise<T>;
  /** Unix seconds. */
  readonly now: number;
}

/** Names a request under an idempotency key: `asked` is all that it asks for. */
export function requestKeyOf(caller: Caller, key: string, asked: readonly unknown[]): string {
  return sha256Hex(JSON.stringify([callerKey(caller), key, ...asked]));
}

/** Starts the job, or goes on with the one that the same request started before. Resolves to its id. */
export async function startOnce(
  { jobs, submit, now }: OnceDeps,
  name: string,
  order: JobOrder,
  origin: Origin,
): Promise<number> {
  const { requestKey } = order;
  const known = requestKey === undefined ? undefined : await jobs.ofRequest(requestKey);
  const again = known && takenUp(known, now);
  if (known && again === "same") return known.id;
  const continues = again === "rest" ? known : undefined;
  return submit({
    name,
    locks: known ? [lock(JobRows, known.id)] : [],
    decide: (draft: Draft) => jobs.start(draft, { ...order, continues, keyOf: known?.id }, origin),
  });
}

/**
 * What a job that a request under this key started means: it is the answer, its rest is to be done, or it is too old.
 */
function takenUp({ createdAt, error }: JobRow, now: number): "same" | "rest" | "old" {
  if (createdAt <= now - KEY_SECONDS) return "old";
  return error === "" ? "same" : "rest";
}
