// Users from a file: it is sent whole, then the job's page says what came of it, with the lines that were refused.
import { Button, FileInput, Group, Radio, Stack, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, call } from "../api/call.ts";
import { Failure } from "../parts/Answer.tsx";
import { Code } from "../parts/Names.tsx";
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
  const [file, setFile] = useState<File | null>(null);
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
      <PageHead
        title={words.importTitle}
        under={<Said text={words.importText} />}
        back={{ href: "/users", label: users.title }}
      />
      <Panel>
        <Stack>
          <FileInput
            label={words.file}
            description={words.fileHelp}
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder={words.chooseFile}
            leftSection={<IconFileUpload size={17} aria-hidden />}
            accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson"
            size="sm"
            maw={420}
            value={file}
            onChange={setFile}
          />
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
            <Button onClick={() => void send()} loading={busy} disabled={file === null}>
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

/** A sentence in which names of the API stand between backticks. */
function Said({ text }: { readonly text: string }) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <Code key={index}>{part}</Code> : part));
}

function formatOf(name: string): "csv" | "ndjson" {
  return /\.(ndjson|jsonl|json)$/i.test(name) ? "ndjson" : "csv";
}
