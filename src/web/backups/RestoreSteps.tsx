// A restore in steps: what is lost, what stays, the confirmation that is typed; then how far it is, and the restart.
import { Anchor, Button, Checkbox, Group, Loader, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { ApiError } from "../api/call.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import type { Actor } from "../nodes/node-standing.ts";
import { useNow } from "../parts/now.ts";
import { Panel } from "../parts/Record.tsx";
import { useActorWords } from "../words/use-actor-words.ts";
import { useWords } from "../words/words.ts";
import { ArchiveFailure } from "./ArchiveFailure.tsx";
import { askOf, CONFIRMATION, nameOf, type Preview, type Restored, type Source } from "./backup.ts";
import { Restarting } from "./Restarting.tsx";
import { rememberRestored } from "./restored.ts";
import { COUNTED, type Counts } from "./use-here.ts";
import classes from "./backups.module.css";

interface RestoreStepsProps {
  readonly source: Source;
  readonly passphrase: string | undefined;
  readonly preview: Preview;
  readonly here: Counts;
}

export default function RestoreSteps({ source, passphrase, preview, here }: RestoreStepsProps) {
  const { restore: words } = useWords("backups");
  const step = useStep();
  const [keepWeb, setKeepWeb] = useState(true);
  const [keepLicense, setKeepLicense] = useState(true);
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [restored, setRestored] = useState<Restored>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const query = { confirm: CONFIRMATION, keep_web_settings: keepWeb, keep_license: keepLicense };
      const answer = await askOf<Restored>(source, "restore", { passphrase, query });
      rememberRestored(nameOf(source), preview.manifest, answer);
      setRestored(answer);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  if (restored) return <Restarting staged={restored.staged} moves={!keepWeb} />;
  return (
    <form
      className={classes["steps"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === CONFIRMATION) void run();
      }}
    >
      <Lost preview={preview} here={here} />
      <Panel title={step(2, words.keeps)}>
        <Stack>
          <Checkbox
            label={words.keepWeb}
            description={words.keepWebText}
            checked={keepWeb}
            disabled={busy}
            onChange={({ currentTarget }) => setKeepWeb(currentTarget.checked)}
          />
          <Checkbox
            label={words.keepLicense}
            description={words.keepLicenseText}
            checked={keepLicense}
            disabled={busy}
            onChange={({ currentTarget }) => setKeepLicense(currentTarget.checked)}
          />
        </Stack>
      </Panel>
      <Panel title={step(3, words.confirm)}>
        <Stack>
          <TextInput
            label={
              <>
                {words.confirmText}
                <bdi dir="ltr" className={classes["confirm"]}>
                  {CONFIRMATION}
                </bdi>
              </>
            }
            dir="ltr"
            maw={360}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            disabled={busy}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {error ? <ArchiveFailure error={error} /> : null}
          {busy ? <Progress /> : null}
          <Group>
            <Button type="submit" color="red" loading={busy} disabled={typed.trim() !== CONFIRMATION}>
              {words.button}
            </Button>
          </Group>
        </Stack>
      </Panel>
    </form>
  );
}

function Lost({ preview, here }: Pick<RestoreStepsProps, "preview" | "here">) {
  const { restore: words, archive } = useWords("backups");
  const format = useFormat();
  const step = useStep();
  const now = useNow(60);
  const { createdAt } = preview.manifest;
  const counted = COUNTED.flatMap((kind) => (here[kind] === undefined ? [] : [[kind, here[kind]] as const]));
  const differing = counted.filter(([kind, count]) => count !== preview[kind]);
  return (
    <Panel title={step(1, words.lost)}>
      <Text size="sm">
        {words.lostText(format.date(createdAt, "dateTime"), format.duration(Math.max(1, now - createdAt)))}
      </Text>
      <ul className={classes["lost"]}>
        {differing.map(([kind, count]) => (
          <li key={kind}>{words.fewer(archive[kind], format.number(count), format.number(preview[kind]))}</li>
        ))}
        {counted.length > 0 && differing.length === 0 ? <li>{words.equal}</li> : null}
        <li>{words.signedOut}</li>
        <li>{words.snapshot}</li>
      </ul>
    </Panel>
  );
}

/** "2. What stays" */
function useStep(): (nth: number, title: string) => string {
  const format = useFormat();
  return (nth, title) => `${format.number(nth)}. ${title}`;
}

const AGAIN_MS = 1000;
const NEWEST = { kind: "restore", sort: "since", order: "desc", limit: 1 } as const;

/** How far it is, as its chart says it. */
function Progress() {
  const { restore: words } = useWords("backups");
  const { data } = useApi<Listing<Actor>>("/actors", NEWEST, { refetchInterval: AGAIN_MS });
  const { meaning } = useActorWords();
  const actor = data?.items[0];
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" role="status">
      <Loader size="sm" />
      <div>
        <Text size="sm" fw={550}>
          {words.running}
        </Text>
        {actor ? (
          <Text size="sm">
            <Anchor component={Link} href={`/inspect/restore/${actor.id}`} inherit>
              {meaning("restore", actor.state, actor.state)}
            </Anchor>
          </Text>
        ) : null}
        <Text size="sm" c="dimmed">
          {words.runningText}
        </Text>
      </div>
    </Group>
  );
}
