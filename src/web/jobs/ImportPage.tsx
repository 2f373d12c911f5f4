// Users from a file: it is sent whole, then the job's page says what came of it, with the lines that were refused.
import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useId, useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, call } from "../api/call.ts";
import { Failure } from "../parts/Answer.tsx";
import { PageHead, Panel } from "../parts/Record.tsx";
import { usePageTitle } from "../shell/title.ts";
import classes from "../users/users.module.css";
import { useWords } from "../words/words.ts";
import own from "./jobs.module.css";

const CONFLICTS = ["skip", "update", "fail"] as const;
type Conflict = (typeof CONFLICTS)[number];
const EXAMPLE = "name,volume,group\nanna,10737418240,friends\nomid,0,";

export default function ImportPage() {
  const words = useWords("jobs");
  const users = useWords("users");
  const parts = useWords("parts");
  const [, navigate] = useLocation();
  const id = useId();
  const [file, setFile] = useState<File>();
  const [conflict, setConflict] = useState<Conflict>("skip");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  usePageTitle(words.importTitle);
  const send = async () => {
    if (!file) return;
    setBusy(true);
    setError(undefined);
    try {
      const query = { format: formatOf(file.name), onConflict: conflict, async: true };
      const { job } = await call<{ job: number }>("POST", "/users/import", { query, file });
      navigate(`/jobs/${job}`);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.importTitle} under={words.importText} back={{ href: "/users", label: users.title }} />
      <Panel>
        <Stack>
          <div>
            <Text component="label" htmlFor={id} size="sm" fw={500} display="block" mb={4}>
              {words.file}
            </Text>
            <input
              id={id}
              type="file"
              accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson"
              aria-describedby={`${id}-help`}
              onChange={({ currentTarget: { files } }) => setFile(files?.[0])}
            />
            <Text id={`${id}-help`} size="xs" c="dimmed" mt={4}>
              {words.fileHelp}
            </Text>
          </div>
          <Radio.Group
            label={words.onConflict}
            value={conflict}
            onChange={(value) => setConflict(CONFLICTS.find((each) => each === value) ?? "skip")}
          >
            <Stack gap={6} mt={6}>
              {CONFLICTS.map((each) => (
                <Radio key={each} value={each} label={words.conflicts[each]} />
              ))}
            </Stack>
          </Radio.Group>
          {error ? <Failure error={error} /> : null}
          <Group>
            <Button onClick={() => void send()} loading={busy} disabled={file === undefined}>
              {words.importStart}
            </Button>
            <Button variant="default" component={Link} href="/users">
              {parts.cancel}
            </Button>
            <span role="status">{busy ? words.importing : ""}</span>
          </Group>
          <div>
            <Text size="sm" c="dimmed">
              {words.importExample}
            </Text>
            <pre className={own["example"]} dir="ltr">
              {EXAMPLE}
            </pre>
          </div>
        </Stack>
      </Panel>
    </div>
  );
}

function formatOf(name: string): "csv" | "ndjson" {
  return /\.(ndjson|jsonl|json)$/i.test(name) ? "ndjson" : "csv";
}
