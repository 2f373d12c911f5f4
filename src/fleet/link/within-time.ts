// Waiting with an end.
import { cause, LinkFailure } from "./link-failure.ts";

/**
 * What `work` gives, unless that takes longer than `ms`: then rejects with "no answer within …". The work itself goes
 * on.
 */
export function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer(ms)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export function noAnswer(ms: number): LinkFailure {
  const seconds = Math.round(ms) / 1000;
  return new LinkFailure(cause("no_answer", seconds), `no answer within ${seconds} s`);
}
