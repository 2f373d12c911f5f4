// Settings that wait for a restart, and the restart: the panel goes away for a moment, and the page comes back by
// itself, under a new base path at the new place.
import { Alert, Anchor, Button, Group, Loader, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { call } from "../api/call.ts";
import type { Listing } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { useMe } from "../session/me.ts";
import { sayDone } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import { homeOf } from "./home-of.ts";
import type { Setting } from "./setting.ts";
import classes from "./settings.module.css";

const STEP = 700;
/** A panel that does not answer by then is looked for elsewhere. */
const PATIENCE = 20_000;

export function RestartNote({ rows }: { readonly rows: readonly Setting[] }) {
  const words = useWords("settings");
  const { base } = useMe();
  const format = useFormat();
  const [asking, setAsking] = useState(false);
  const [begun, setBegun] = useState<number>();
  const pending = rows.filter(({ restartPending }) => restartPending);
  if (begun !== undefined)
    return <Restarting home={homeOf(rows, document.baseURI)} begun={begun} onBack={() => setBegun(undefined)} />;
  if (pending.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" className={classes["note"] ?? ""} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={550}>
          {words.waiting(pending.length, format.number(pending.length))}
        </Text>
        {base === "sudo" ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {words.restart}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {words.mainAdmins}
          </Text>
        )}
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.restartTitle}
        consequence={words.restartText}
        confirm={words.restart}
        run={async () => {
          await call("POST", "/restart");
          setBegun(Date.now());
        }}
      />
    </Alert>
  );
}

interface RestartingProps {
  readonly home: string;
  readonly begun: number;
  readonly onBack: () => void;
}

function Restarting({ home, begun, onBack }: RestartingProps) {
  const words = useWords("settings");
  const queries = useQueryClient();
  const [lost, setLost] = useState(false);
  const here = home === document.baseURI;
  // Another origin is not this page's to ask: the policy forbids it. Whoever reads goes there.
  const away = new URL(home).origin !== location.origin;
  const look = useEffectEvent(async (): Promise<boolean> => {
    if (Date.now() - begun > PATIENCE) setLost(true);
    if (away || !(await (here ? isRenewed() : answers(home)))) return false;
    if (!here) {
      location.assign(new URL("settings", home));
      return true;
    }
    await queries.invalidateQueries();
    sayDone(words.restarted);
    onBack();
    return true;
  });
  useEffect(() => {
    let timer = 0;
    let over = false;
    const again = async (): Promise<void> => {
      if (over || (await look()) || over) return;
      timer = window.setTimeout(() => void again(), STEP);
    };
    timer = window.setTimeout(() => void again(), STEP);
    return () => {
      over = true;
      window.clearTimeout(timer);
    };
  }, []);
  return (
    <Alert color="blue" variant="light" className={classes["note"] ?? ""} role="status">
      {away || lost ? (
        <Text size="sm">
          {away ? words.moves : words.elsewhere}{" "}
          <Anchor href={home} size="sm">
            <bdi dir="ltr">{home}</bdi>
          </Anchor>
        </Text>
      ) : (
        <Group gap="sm">
          <Loader size="xs" />
          <Text size="sm" fw={550}>
            {words.restarting}
          </Text>
        </Group>
      )}
    </Alert>
  );
}

/** Whether the panel answers with the stored settings in use: the one from before the restart does not. */
async function isRenewed(): Promise<boolean> {
  try {
    const { items } = await call<Listing<Setting>>("GET", "/settings", { query: { limit: 1000 } });
    return items.every(({ restartPending }) => !restartPending);
  } catch {
    // Between the two lives of the panel nobody answers.
    return false;
  }
}

/** The sign-in's providers are everybody's to read. */
async function answers(home: string): Promise<boolean> {
  try {
    return (await fetch(new URL("api/v1/login/oidc", home), { cache: "no-store" })).ok;
  } catch {
    // Not yet.
    return false;
  }
}
