// The sign-in page: password and second factor, identity providers, and what came of a way through one.
import { Alert, Button, Divider, Stack, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Redirect, useLocation, useSearch } from "wouter";
import { ApiError, call } from "../api/call.ts";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { destination } from "../session/destination.ts";
import { OpenPage } from "../shell/OpenPage.tsx";
import { useSignInRefusal } from "../session/refusals.ts";
import { useSession, signedIn } from "../session/session.ts";
import { SignIn } from "./SignIn.tsx";

interface Provider {
  readonly id: number;
  readonly name: string;
}

export default function LoginPage() {
  const words = useWords("session");
  const search = useSearch();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const session = useSession();
  const [landed] = useState(() => landing(search, location.hash));
  usePageTitle(words.title);
  useEffect(() => {
    // The token of a sign-in that waits for its code stays neither in the address nor in the history.
    if (location.hash !== "") history.replaceState(history.state, "", location.href.replace(/#.*$/, ""));
  }, []);

  if (session.status === "in") return <Redirect to={destination(search)} replace />;
  return (
    <OpenPage>
      <Stack gap="lg">
        {landed.pending === undefined ? <Title order={1}>{words.title}</Title> : null}
        {landed.failure === undefined ? null : (
          <Alert color="yellow" variant="light" role="alert" p="sm">
            {words.sso[landed.failure]}
          </Alert>
        )}
        <SignIn
          begun={landed.pending}
          onSignedIn={(me) => {
            signedIn(queries, me);
            navigate(destination(search), { replace: true });
          }}
        />
        <Providers />
      </Stack>
    </OpenPage>
  );
}

function Providers() {
  const words = useWords("session");
  const { data = [] } = useQuery<readonly Provider[], ApiError>({
    queryKey: ["/login/oidc"],
    queryFn: ({ signal }) => call<readonly Provider[]>("GET", "/login/oidc", { signal, hurdles: false }),
    staleTime: Infinity,
  });
  const [leaving, setLeaving] = useState<number>();
  const [refusal, setRefusal] = useState<ApiError>();
  const text = useSignInRefusal(refusal);
  if (data.length === 0) return null;

  const leave = async (provider: number): Promise<void> => {
    setLeaving(provider);
    setRefusal(undefined);
    const redirectUri = new URL("api/login/oidc/callback", document.baseURI).href;
    try {
      const { url } = await call<{ url: string }>("POST", "/login/oidc/start", {
        body: { provider, redirectUri },
        hurdles: false,
      });
      location.assign(url);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setLeaving(undefined);
      setRefusal(error);
    }
  };

  return (
    <Stack>
      <Divider label={words.or} />
      {text === undefined ? null : (
        <Alert color="red" variant="light" role="alert" p="xs">
          {text}
        </Alert>
      )}
      {data.map(({ id, name }) => (
        <Button key={id} variant="default" size="md" loading={leaving === id} onClick={() => void leave(id)}>
          <bdi>{words.with(name)}</bdi>
        </Button>
      ))}
    </Stack>
  );
}

const FAILURES = ["unlinked", "expired", "blocked", "account-expired", "error"] as const;
type Failure = (typeof FAILURES)[number];

/** What the way back from a provider says: a sign-in that waits for its code, or why nobody is signed in. */
function landing(search: string, hash: string): { readonly pending?: string; readonly failure?: Failure } {
  const sso = new URLSearchParams(search).get("sso");
  if (sso === "mfa" && hash.length > 1) return { pending: decodeURIComponent(hash.slice(1)) };
  const failure = FAILURES.find((each) => each === sso);
  return failure === undefined ? {} : { failure };
}
