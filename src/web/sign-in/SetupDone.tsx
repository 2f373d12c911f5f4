// After setup: the panel restarts. At the same origin the page waits and goes there by itself; another one cannot be
// watched from here, so it is shown.
import { Alert, Anchor, Button, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { Code } from "../parts/Names.tsx";
import { useWords } from "../words/words.ts";
import classes from "./setup.module.css";

export interface Finished {
  /** Where the panel answers from now on. */
  readonly url: string;
  readonly selfSigned: boolean;
  /** Where this browser finds it, whatever others are told. */
  readonly nearby: string;
  /** It may come back at another address, which nobody here knows. */
  readonly elsewhere?: boolean;
}

const STEP = 700;
/** A panel that has moved away is given this long. */
const RESTART = 5000;

export function SetupDone({
  finished: { url, selfSigned, nearby, elsewhere = false },
}: {
  readonly finished: Finished;
}) {
  const { setup: words } = useWords("session");
  const [moved, setMoved] = useState(false);
  const home = `${url.replace(/\/$/, "")}/`;
  const here = new URL(home).origin === location.origin;

  useEffect(() => {
    // Under another name the panel may still answer where this page came from: then its restart can be seen from here.
    if (!here && new URL(nearby).origin !== location.origin) {
      const timer = setTimeout(() => setMoved(true), RESTART);
      return () => clearTimeout(timer);
    }
    let left = false;
    const look = async (): Promise<void> => {
      if (left || !(await answers(nearby))) return;
      left = true;
      if (here) location.assign(new URL("login", home));
      else setMoved(true);
    };
    const timer = setInterval(() => void look(), STEP);
    return () => clearInterval(timer);
  }, [here, home, nearby]);

  if (!moved) {
    return (
      <Stack role="status">
        <Group gap="sm">
          <Loader size="sm" />
          <Title order={1}>{words.restarting}</Title>
        </Group>
        <Text c="dimmed">{words.restartingText}</Text>
        {elsewhere ? <Text c="dimmed">{words.elsewhere}</Text> : <Code>{home}</Code>}
      </Stack>
    );
  }
  return (
    <Stack>
      <Title order={1}>{words.moved}</Title>
      <div>
        <Text>{words.movedText}</Text>
        <bdi dir="ltr" className={classes["address"]}>
          {home}
        </bdi>
      </div>
      {selfSigned ? (
        <Alert color="yellow" variant="light">
          {words.selfSigned}
        </Alert>
      ) : null}
      <Button component="a" href={new URL("login", home).href} size="md">
        {words.open}
      </Button>
      {nearby === home ? null : (
        <Text size="sm" c="dimmed">
          {words.otherName}{" "}
          <Anchor href={new URL("login", nearby).href} size="sm">
            <bdi dir="ltr">{nearby}</bdi>
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

/** The sign-in's providers are everybody's to read, unlike everything while setup is pending. */
async function answers(home: string): Promise<boolean> {
  try {
    return (await fetch(new URL("api/v1/login/oidc", home), { cache: "no-store" })).ok;
  } catch {
    // Between the two lives of the panel nobody listens.
    return false;
  }
}
