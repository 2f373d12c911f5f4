// Adds volume and time to the selected users, as one job.
import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { JobProgress } from "../jobs/JobState.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { useWords } from "../words/words.ts";
import { BulkTrial } from "./BulkTrial.tsx";
import { useBulkJob, type BulkCall } from "./use-bulk-job.ts";
import { refusedOf, type SelectedUsers } from "./selected.ts";
import { useExtension } from "./use-extension.tsx";
import type { User } from "./user.ts";

interface BulkExtendProps {
  readonly users: SelectedUsers;
  readonly onDone: (left: readonly User[]) => void;
}

/** Time is what refuses users without an end: volume alone is an operation of its own. */
function callFor({ query, ids }: SelectedUsers, bytes: number, seconds: number): BulkCall | undefined {
  if (seconds > 0) return { op: "extend", query, body: { ...ids, seconds, ...(bytes > 0 && { bytes }) } };
  return bytes > 0 ? { op: "add-volume", query, body: { ...ids, bytes } } : undefined;
}

export default function BulkExtend(props: BulkExtendProps) {
  const words = useWords("users");
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {words.extend}
      </Button>
      {opened ? <Question {...props} onClose={() => setOpened(false)} /> : null}
    </>
  );
}

function Question({ users, onDone, onClose }: BulkExtendProps & { readonly onClose: () => void }) {
  const words = useWords("users");
  const { follow } = useWords("jobs");
  const { job, start, tell } = useBulkJob();
  const { bytes, seconds, wrong, volumeInput, timeInput } = useExtension();
  const asked = wrong ? undefined : callFor(users, bytes, seconds);
  const run = async () => {
    if (!asked) return;
    const ended = await start(asked);
    const { total, blocked, failed } = ended;
    tell(ended, total, words.bulkDone(total - blocked - failed, total));
    onDone(refusedOf(users, ended));
  };
  return (
    <ConfirmDialog
      opened
      title={words.bulkTitle(words.extend, users.total)}
      consequence={
        <Stack gap="sm">
          {volumeInput}
          {timeInput}
          <div>{words.extendText}</div>
          {job ? (
            <>
              <JobProgress job={job} />
              <div>{follow}</div>
            </>
          ) : asked ? (
            <BulkTrial {...asked} />
          ) : null}
        </Stack>
      }
      confirm={words.extend}
      disabled={asked === undefined}
      onClose={onClose}
      run={run}
    />
  );
}
