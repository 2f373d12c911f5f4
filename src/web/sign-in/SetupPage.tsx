// First-run setup: opened by the link with the token that the panel printed. One form; afterwards the panel has
// restarted, perhaps at another address.
import { Alert, Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useSearch } from "wouter";
import { ApiError, call } from "../api/call.ts";
import { Failure, LoadingLines } from "../parts/Answer.tsx";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { OpenPage } from "../shell/OpenPage.tsx";
import { SetupDone, type Finished } from "./SetupDone.tsx";
import { SetupForm } from "./SetupForm.tsx";

/** Seldom wanted, and heavier than it looks. */
const SetupRestore = lazy(() => import("../backups/SetupRestore.tsx"));

interface SetupState {
  readonly required: boolean;
  readonly defaults?: Readonly<Record<string, string>>;
  readonly listen?: string;
}

export default function SetupPage() {
  const { setup: words } = useWords("session");
  const token = new URLSearchParams(useSearch()).get("t") ?? "";
  const [done, setDone] = useState<Finished>();
  const [restores, setRestores] = useState(false);
  const state = useQuery<SetupState, ApiError>({
    queryKey: ["/setup", token],
    queryFn: ({ signal }) => call<SetupState>("GET", "/setup", { query: { t: token }, signal, hurdles: false }),
    // Once answered it is not asked again: the form stands on it, and the panel restarts below it.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  usePageTitle(words.title);

  if (done) {
    return (
      <OpenPage wide>
        <SetupDone finished={done} />
      </OpenPage>
    );
  }
  return (
    <OpenPage wide>
      {state.data?.required === true && restores ? (
        <Suspense fallback={<LoadingLines lines={6} />}>
          <SetupRestore
            token={token}
            onDone={(elsewhere) => setDone({ ...sameAddress(), elsewhere })}
            onBack={() => setRestores(false)}
          />
        </Suspense>
      ) : state.data?.required === true ? (
        <Stack gap="lg">
          <div>
            <Title order={1}>{words.title}</Title>
            <Text c="dimmed" mt={4}>
              {words.intro}{" "}
              <Anchor component="button" type="button" onClick={() => setRestores(true)}>
                {words.restore}
              </Anchor>
            </Text>
          </div>
          <SetupForm token={token} defaults={state.data.defaults ?? {}} listen={state.data.listen} onDone={setDone} />
        </Stack>
      ) : state.data ? (
        <Already title={words.finished} text={words.finishedText} />
      ) : state.error === null ? (
        <LoadingLines lines={6} />
      ) : state.error.status === 404 ? (
        <Already title={words.noToken} text={words.noTokenText} />
      ) : (
        <Failure error={state.error} retry={() => void state.refetch()} />
      )}
    </OpenPage>
  );
}

/** A restored panel that keeps this one's address settings comes back where it is. */
function sameAddress(): Finished {
  return { url: document.baseURI, selfSigned: false, nearby: document.baseURI };
}

function Already({ title, text }: { readonly title: string; readonly text: string }) {
  const words = useWords("session");
  return (
    <Stack align="flex-start">
      <Title order={1}>{title}</Title>
      <Alert variant="light" color="gray" w="100%">
        {text}
      </Alert>
      <Button component="a" href={new URL("login", document.baseURI).href} variant="default">
        {words.signIn}
      </Button>
    </Stack>
  );
}
