// An account's subscription as a client would get it: headers, body, which servers are in it, and what was left out.
import { Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { z } from "zod";
import type { SubPreview } from "../../subscriptions/delivery/preview.schema.ts";
import { useApi } from "../api/queries.ts";
import { Answer, LoadingLines } from "../parts/Answer.tsx";
import { useWords } from "../words/words.ts";
import { ClientChoice } from "./ClientChoice.tsx";
import { KNOWN_CLIENTS } from "./known-clients.ts";
import { PreviewAnswer } from "./PreviewAnswer.tsx";

export type Preview = z.output<typeof SubPreview>;

const FORMATS = ["links", "base64", "clash", "singbox", "xray", "html", "info"];
const PAUSE_MS = 300;
/** By the rules, as a client asks. */
const BY_RULES = "";

export function ClientPreview({ user }: { readonly user: { readonly id: number } }) {
  const words = useWords("clients");
  const [asked, setAsked] = useState({ userAgent: KNOWN_CLIENTS[0]?.userAgent ?? "", format: BY_RULES, hwid: "" });
  const set = (part: Partial<typeof asked>) => setAsked((now) => ({ ...now, ...part }));
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
        <ClientChoice userAgent={asked.userAgent} onChange={(userAgent) => set({ userAgent })} />
        <Select
          label={words.format}
          allowDeselect={false}
          value={asked.format}
          data={[{ value: BY_RULES, label: words.byRules }, ...FORMATS]}
          onChange={(format) => set({ format: format ?? BY_RULES })}
        />
        <TextInput
          label={words.hwid}
          dir="ltr"
          maxLength={128}
          spellCheck={false}
          value={asked.hwid}
          onChange={(event) => set({ hwid: event.currentTarget.value })}
        />
      </SimpleGrid>
      <ClientAnswer user={user} asked={asked} />
    </Stack>
  );
}

/** What the request of a client would be answered. */
export function ClientAnswer({
  user,
  asked,
}: {
  readonly user: { readonly id: number };
  readonly asked: { readonly userAgent: string; readonly format: string; readonly hwid: string };
}) {
  const [query] = useDebouncedValue(asked, PAUSE_MS);
  const preview = useApi<Preview>(`/users/${user.id}/sub/preview`, query);
  return (
    <Answer of={preview} loading={<LoadingLines lines={6} />}>
      {(answer) => <PreviewAnswer preview={answer} />}
    </Answer>
  );
}
