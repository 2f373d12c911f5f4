// Brings all selected deleted users back, as one job. Those that stay deleted stay selected.
import { Button, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { call } from "../api/call.ts";
import { followed, type Job } from "../jobs/job.ts";
import { JobProgress } from "../jobs/JobState.tsx";
import { useProblemText } from "../jobs/use-problem-text.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { sayDone, sayFailed, sayPartly } from "../browser/toasts.tsx";
import { countedOf } from "../users/counted.ts";
import { useWords } from "../words/words.ts";
import type { DeletedUser } from "./deleted.ts";

interface RestoreManyProps {
  readonly users: readonly DeletedUser[];
  readonly onDone: (left: readonly DeletedUser[]) => void;
}

export default function RestoreMany({ users, onDone }: RestoreManyProps) {
  const words = useWords("deleted");
  const { follow } = useWords("jobs");
  const queries = useQueryClient();
  const said = useProblemText();
  const [opened, setOpened] = useState(false);
  const [job, setJob] = useState<Job>();
  const left = useRef(new AbortController());
  useEffect(() => {
    const leaving = new AbortController();
    left.current = leaving;
    return () => leaving.abort();
  }, []);
  const run = async () => {
    const { signal } = left.current;
    const started = await call<{ job: number }>("POST", "/users/deleted/restore", {
      query: { async: true },
      body: { ids: users.map(({ id }) => id) },
    });
    const ended = await followed(started.job, setJob, signal).finally(() => setJob(undefined));
    for (const path of ["/users/deleted", "/users", "/users/summary", "/jobs"])
      void queries.invalidateQueries({ queryKey: [path] });
    tell(ended);
  };
  const tell = ({ affected, blocked, failed, problems }: Job) => {
    const done = words.restoredMany(affected, users.length);
    if (blocked + failed === 0) sayDone(done);
    else {
      const reasons = countedOf(problems.map(said)).map(({ text, count }) => words.refused(count, text));
      (affected === 0 ? sayFailed : sayPartly)(done, reasons.join(" "));
    }
    const kept = new Set(problems.map(({ id }) => id));
    onDone(users.filter(({ id }) => kept.has(id)));
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {words.restore}
      </Button>
      {opened ? (
        <ConfirmDialog
          opened
          title={words.restoreManyTitle(users.length)}
          consequence={
            <Stack gap="xs">
              <div>{words.restoreText}</div>
              {job ? (
                <>
                  <JobProgress job={job} />
                  <div>{follow}</div>
                </>
              ) : (
                <div>{words.restoreManyText}</div>
              )}
            </Stack>
          }
          confirm={words.restore}
          onClose={() => setOpened(false)}
          run={run}
        />
      ) : null}
    </>
  );
}
