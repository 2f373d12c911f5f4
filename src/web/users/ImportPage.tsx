// Users from a file: first it is checked, with what would become of each line; then it is sent again and written, and
// the job's page says what came of it.
import { Button, FileInput, Group, Radio, Stack, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { ImportTrial } from "../../accounts/transfer/import.schema.ts";
import { ApiError, call } from "../api/call.ts";
import { Failure } from "../parts/Answer.tsx";
import { Code } from "../parts/Names.tsx";
import { PageHead, Panel } from "../parts/Record.tsx";
import { usePageTitle } from "../browser/title.ts";
import classes from "./users.module.css";
import { useWords } from "../words/words.ts";
import { ImportCheck } from "./ImportCheck.tsx";
import own from "../jobs/jobs.module.css";

const CONFLICTS = ["skip", "update", "fail"] as const;
type Conflict = (typeof CONFLICTS)[number];
const EMPTY = ["refuse", "unlimited"] as const;
type Empty = (typeof EMPTY)[number];
const EXAMPLE = "name,volume,expiry,group\nanna,10GB,2026-12-31,friends\nomid,0,1405/10/10,";
/** What runs. */
type Busy = "checking" | "importing";

export default function ImportPage() {
  const words = useWords("jobs");
  const users = useWords("users");
  const parts = useWords("parts");
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File | null>(null);
  const [conflict, setConflict] = useState<Conflict>("skip");
  const [empty, setEmpty] = useState<Empty>("refuse");
  const [checked, setChecked] = useState<ImportTrial>();
  const [busy, setBusy] = useState<Busy>();
  const [error, setError] = useState<ApiError>();
  usePageTitle(words.importTitle);
  /** A check is of what was chosen then. */
  const change = (choose: () => void) => {
    choose();
    setChecked(undefined);
    setError(undefined);
  };
  const run = async (what: Busy, send: () => Promise<void>) => {
    setBusy(what);
    setError(undefined);
    try {
      await send();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
    } finally {
      setBusy(undefined);
    }
  };
  const check = (from: File) =>
    run("checking", async () => {
      const query = { format: formatOf(from.name), onConflict: conflict, empty, dryRun: true };
      setChecked(await call<ImportTrial>("POST", "/users/import", { query, file: from, dry: true }));
    });
  const write = (from: File) =>
    run("importing", async () => {
      const query = { format: formatOf(from.name), onConflict: conflict, empty, async: true };
      const { job } = await call<{ job: number }>("POST", "/users/import", { query, file: from });
      navigate(`/jobs/${job}`);
    });
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
            onChange={(chosen) => change(() => setFile(chosen))}
          />
          <Radio.Group
            label={words.onConflict}
            value={conflict}
            onChange={(value) => change(() => setConflict(CONFLICTS.find((each) => each === value) ?? "skip"))}
          >
            <Stack gap={6} mt={6}>
              {CONFLICTS.map((each) => (
                <Radio key={each} value={each} label={words.conflicts[each]} />
              ))}
            </Stack>
          </Radio.Group>
          <Radio.Group
            label={words.emptyCells}
            value={empty}
            onChange={(value) => change(() => setEmpty(EMPTY.find((each) => each === value) ?? "refuse"))}
          >
            <Stack gap={6} mt={6}>
              {EMPTY.map((each) => (
                <Radio key={each} value={each} label={words.emptyChoices[each]} />
              ))}
            </Stack>
          </Radio.Group>
          {error ? <Failure error={error} /> : null}
          {checked ? <ImportCheck trial={checked} fileName={file?.name ?? ""} /> : null}
          <Group>
            {checked ? (
              <Button
                onClick={() => file && void write(file)}
                loading={busy === "importing"}
                disabled={checked.create + checked.update === 0}
              >
                {words.importStart}
              </Button>
            ) : (
              <Button onClick={() => file && void check(file)} loading={busy === "checking"} disabled={file === null}>
                {words.importCheck}
              </Button>
            )}
            <Button variant="default" component={Link} href="/users">
              {parts.cancel}
            </Button>
            <span role="status">{busy ? words[busy] : ""}</span>
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
