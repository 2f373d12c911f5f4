// A bulk operation on users as the page follows it: started as a job, looked at until it ends, and taken back.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ReadPath } from "../api/read-path.ts";
import { call, type QueryValue } from "../api/call.ts";
import { followed, type Job } from "../jobs/job.ts";
import { useProblemText } from "../jobs/use-problem-text.ts";
import { sayDone, sayFailed, sayPartly } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import { countedOf } from "./counted.ts";
import { problemsOf } from "./selected.ts";

/** An operation and the users that it selects. */
export interface BulkCall {
  /** As the route names it. */
  readonly op: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body: object;
}

export interface BulkJob {
  /** How far it is; undefined: none is under way. */
  readonly job: Job | undefined;
  /** Resolves to the job once it has ended. Rejects when the page is left: the job goes on. */
  readonly start: (asked: BulkCall) => Promise<Job>;
  /** Says what it came to, with the way back. `total`: how many were meant. */
  readonly tell: (ended: Job, total: number, done: string) => void;
}

/** Answers that a change of users makes old. */
const OLD: readonly ReadPath[] = ["/users", "/users/summary", "/jobs", "/admins"];

export function useBulkJob(): BulkJob {
  const words = useWords("users");
  const parts = useWords("parts");
  const said = useProblemText();
  const queries = useQueryClient();
  const [job, setJob] = useState<Job>();
  const left = useRef(new AbortController());
  useEffect(() => {
    const leaving = new AbortController();
    left.current = leaving;
    return () => leaving.abort();
  }, []);
  const renew = () => {
    for (const path of OLD) void queries.invalidateQueries({ queryKey: [path] });
  };
  const takeBack = async (id: number) => {
    const { job: undoing } = await call<{ job: number }>("POST", `/jobs/${id}/undo`);
    const ended = await followed(undoing, () => undefined, new AbortController().signal);
    renew();
    sayDone(words.bulkDone(ended.affected, ended.total));
  };
  return {
    job,
    async start({ op, query = {}, body }) {
      const { signal } = left.current;
      const started = await call<{ job: number }>("POST", `/users/bulk/${op}`, {
        query: { ...query, async: true },
        body,
      });
      const ended = await followed(started.job, setJob, signal).finally(() => setJob(undefined));
      renew();
      return ended;
    },
    tell({ id, problems, blocked, failed, undoUntil }, total, done) {
      const refused = blocked + failed;
      const undo = undoUntil > 0 ? { label: parts.undo, run: () => void takeBack(id) } : undefined;
      const told = problemsOf(problems);
      if (refused === 0 && told.keptOff.length === 0) {
        sayDone(done, undo);
        return;
      }
      const reasons = [
        ...countedOf(told.refused.map(said)).map(({ text, count }) => words.bulkRefused(count, text)),
        ...(told.keptOff.length > 0
          ? [words.bulkKeptOff(told.keptOff.length), ...told.keptOff.slice(0, 1).map(said)]
          : []),
      ];
      (refused > 0 && refused >= total ? sayFailed : sayPartly)(done, reasons.join(" "));
    },
  };
}
