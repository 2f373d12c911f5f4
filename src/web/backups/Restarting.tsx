// After a restore the panel restarts. The page waits until the panel answers as another one: the session from before is
// none of its, so the way goes on at the sign-in.
import { Alert, Anchor, Button, Group, Loader, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useLocation } from "wouter";
import { ApiError, call } from "../api/call.ts";
import { signInPath } from "../session/destination.ts";
import { useWords } from "../words/words.ts";

const STEP = 700;
/** A panel that has not come back by then is looked for elsewhere. */
const PATIENCE = 30_000;

type Seen = "before" | "away" | "signed out" | "after";

interface RestartingProps {
  /** The exchange waits for the restart. */
  readonly staged: boolean;
  /** The address may be another one afterwards. */
  readonly moves: boolean;
}

export function Restarting({ staged, moves }: RestartingProps) {
  const { restore: words } = useWords("backups");
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [began] = useState(Date.now);
  const [late, setLate] = useState(false);
  const [startedAt, setStartedAt] = useState<number>();
  const signIn = new URL(signInPath("/backups").slice(1), document.baseURI).href;
  const look = useEffectEvent(async (): Promise<boolean> => {
    if (Date.now() - began > PATIENCE) setLate(true);
    const { seen, at } = await panelSince(startedAt);
    if (at !== undefined && startedAt === undefined) setStartedAt(at);
    if (seen === "signed out") location.assign(signIn);
    else if (seen === "after") {
      await queries.invalidateQueries();
      navigate("/backups");
    }
    return seen === "signed out" || seen === "after";
  });
  useEffect(() => {
    let timer = 0;
    let over = false;
    const again = async (): Promise<void> => {
      if (over || (await look()) || over) return;
      timer = window.setTimeout(() => void again(), STEP);
    };
    void again();
    return () => {
      over = true;
      window.clearTimeout(timer);
    };
  }, []);
  return (
    <Alert color="blue" variant="light" role="status">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Loader size="sm" />
        <div>
          <Text size="sm" fw={550}>
            {late ? words.late : words.restarting}
          </Text>
          <Text size="sm">{late || moves ? words.lateText : words.restartingText}</Text>
          {late ? (
            <Group gap="sm" mt="xs">
              {staged ? <RestartButton /> : null}
              <Anchor href={signIn} size="sm">
                {words.signIn}
              </Anchor>
            </Group>
          ) : null}
        </div>
      </Group>
    </Alert>
  );
}

/** For a panel that did not restart by itself. */
function RestartButton() {
  const { restore: words } = useWords("backups");
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Text size="sm">{words.staged}</Text>
      <Button
        size="xs"
        variant="default"
        loading={asked}
        onClick={() => {
          setAsked(true);
          call("POST", "/restart").catch((cause: unknown) => {
            if (!(cause instanceof ApiError)) throw cause;
            setAsked(false);
          });
        }}
      >
        {words.restart}
      </Button>
    </>
  );
}

/** What answers: the panel from before, nobody, or the one from after the restart. */
async function panelSince(before: number | undefined): Promise<{ readonly seen: Seen; readonly at?: number }> {
  try {
    const { startedAt } = await call<{ readonly startedAt: number }>("GET", "/panel/info", { hurdles: false });
    return { seen: before !== undefined && startedAt > before ? "after" : "before", at: startedAt };
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    return { seen: cause.status === 401 ? "signed out" : "away" };
  }
}
