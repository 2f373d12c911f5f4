// Gives users to another owner, as one job: a reseller, or the panel itself. First who would move and who would be
// refused, then how far it is.
import { NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { JobProgress } from "../jobs/JobState.tsx";
import type { Job } from "../jobs/job.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { useWords } from "../words/words.ts";
import { BulkTrial } from "./BulkTrial.tsx";
import { useBulkJob } from "./use-bulk-job.ts";
import type { SelectedUsers } from "./selected.ts";
import { useOwners } from "./use-owners.ts";

interface MoveDialogProps {
  readonly title: string;
  readonly users: Pick<SelectedUsers, "query" | "ids">;
  /** Id of the owner, if all of the accounts have the same one. The dialog does not offer it. */
  readonly of?: number;
  readonly onClose: () => void;
  readonly onDone: (ended: Job) => void;
}

export default function MoveDialog({ title, users, of, onClose, onDone }: MoveDialogProps) {
  const words = useWords("users");
  const { follow } = useWords("jobs");
  const { closedOwner } = useWords("resellers");
  const owners = useOwners();
  const { job, start, tell } = useBulkJob();
  const [adminId, setAdminId] = useState(0);
  const { query } = users;
  const body = { ...users.ids, adminId };
  const others = owners.filter(({ id }) => id !== of);
  const run = async () => {
    const ended = await start({ op: "assign", query, body });
    tell(ended, ended.total, words.assignDone(ended.affected, ended.total));
    onDone(ended);
  };
  return (
    <ConfirmDialog
      opened
      title={title}
      consequence={
        <Stack gap="sm">
          <NativeSelect
            label={words.assignTo}
            value={adminId}
            disabled={job !== undefined}
            onChange={(event) => setAdminId(Number(event.currentTarget.value))}
            data={[
              { value: "0", label: words.assignPanel },
              ...others.map(({ id, username, closedBy }) => ({
                value: String(id),
                label: closedBy === "" ? username : closedOwner(username),
                disabled: closedBy !== "",
              })),
            ]}
          />
          <div>{words.assignText}</div>
          {job ? (
            <>
              <JobProgress job={job} />
              <div>{follow}</div>
            </>
          ) : (
            <BulkTrial op="assign" query={query} body={body} />
          )}
        </Stack>
      }
      confirm={words.assign}
      onClose={onClose}
      run={run}
    />
  );
}
