// The first request got no answer: the panel is unreachable, or reports that it cannot answer. It is retried
// automatically.
import { Button, Stack, Text, Title } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import type { ApiError } from "../api/call.ts";
import { OpenPage } from "./OpenPage.tsx";
import { useWords } from "../words/words.ts";

const AGAIN = 3000;

export default function Unreached({ error, retry }: { readonly error: ApiError; readonly retry: () => void }) {
  const { unreached } = useWords("shell");
  const again = useEffectEvent(retry);
  useEffect(() => {
    const timer = setInterval(() => again(), AGAIN);
    return () => clearInterval(timer);
  }, []);
  return (
    <OpenPage>
      <Stack align="flex-start" role="alert">
        <Title order={1}>{unreached.title}</Title>
        {error.message === "" ? null : <Text c="dimmed">{error.message}</Text>}
        <Button onClick={retry}>{unreached.retry}</Button>
      </Stack>
    </OpenPage>
  );
}
