// Whether a provider could serve a sign-in now: each thing that it needs, with what was found.
import { Loader, Modal, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call, type ApiError } from "../api/call.ts";
import { Answer } from "../parts/Answer.tsx";
import { Code } from "../parts/Names.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";
import type { Provider } from "./provider.ts";
import classes from "./providers.module.css";

/** As `POST /oidc-providers/{id}/test` answers. */
interface Test {
  readonly ok: boolean;
  readonly checks: readonly Check[];
}
interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly code: string;
  readonly values: readonly string[];
  /** In English, for what the page has no words for. */
  readonly text: string;
}

export function TestDialog({ provider, onClose }: { readonly provider: Provider; readonly onClose: () => void }) {
  const { providers: words } = useWords("access");
  const parts = useWords("parts");
  // Asked once for each time that the dialog is opened.
  const test = useQuery<Test, ApiError>({
    queryKey: [`/oidc-providers/${provider.id}/test`],
    queryFn: ({ signal }) => call<Test>("POST", `/oidc-providers/${provider.id}/test`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      centered
      size="lg"
      title={<Text fw={600}>{`${words.testTitle}: ${provider.name}`}</Text>}
      closeButtonProps={{ "aria-label": parts.close }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.testText}
        </Text>
        <Answer of={test} loading={<Loader size="sm" aria-label={words.testing} />}>
          {({ ok, checks }) => (
            <>
              <Text fw={600} c={ok ? "var(--tone-ok)" : "var(--tone-failed)"} role="status">
                {ok ? words.passed : words.failed}
              </Text>
              <ul className={classes["checks"]}>
                {checks.map((each) => (
                  <CheckLine key={each.check} found={each} />
                ))}
              </ul>
            </>
          )}
        </Answer>
      </Stack>
    </Modal>
  );
}

function CheckLine({ found: { check, ok, code, values, text } }: { readonly found: Check }) {
  const { providers: words } = useWords("access");
  const checks: Readonly<Record<string, string>> = words.checks;
  const findings: Readonly<Record<string, string>> = words.findings;
  return (
    <li>
      <ToneBadge tone={ok ? "ok" : code === "not_looked_at" ? "off" : "failed"}>{checks[check] ?? check}</ToneBadge>
      <span>
        {findings[code] ?? <bdi>{text}</bdi>}
        {values.length === 0 ? null : (
          <small>
            <Code>{values.join(" · ")}</Code>
          </small>
        )}
      </span>
    </li>
  );
}
