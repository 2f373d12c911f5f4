// A new inbound: what it speaks, then its form with everything filled in that can be; or another one's copy. What was
// chosen stands in the address.
import { Button, Group, Text, UnstyledButton } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import type { ApiError } from "../../api/call.ts";
import { Create } from "../../fragments/FragmentForm.tsx";
import classes from "../../fragments/fragments.module.css";
import { freeName, type Begun } from "../../fragments/kind.ts";
import { NewFragmentPage } from "../../fragments/NewFragmentPage.tsx";
import { useAll } from "../../fragments/use-all.ts";
import { Failure, LoadingLines } from "../../parts/Answer.tsx";
import { useWords } from "../../words/words.ts";
import { makeKey } from "../KeyTool.tsx";
import { INBOUND_FORM } from "./InboundForm.tsx";
import { freePort, INBOUNDS } from "./inbounds.tsx";
import { PRESET_TOOLS, PRESETS, presetDocument, SHADOWSOCKS_METHOD, type Preset, type PresetKeys } from "./presets.ts";

export default function NewInboundPage() {
  const [search] = useSearchParams();
  const preset = PRESETS.find((each) => each === search.get("preset"));
  return (
    <NewFragmentPage
      kind={INBOUND_FORM}
      className={classes["narrow"]}
      begin={preset ? <FromPreset key={preset} preset={preset} /> : <Choose />}
      create={(begun) => <Begin begun={begun} />}
    />
  );
}

function Choose() {
  const words = useWords("pool").inbounds;
  return (
    <>
      <Text size="sm" c="dimmed">
        {words.choose}
      </Text>
      <div className={classes["presets"]}>
        {PRESETS.map((preset) => (
          <UnstyledButton
            key={preset}
            component={Link}
            href={`/inbounds/new?preset=${preset}`}
            className={classes["preset"] ?? ""}
          >
            <Text fw={600} size="sm">
              {words.presets[preset].label}
            </Text>
            <Text size="xs" c="dimmed">
              {words.presets[preset].text}
            </Text>
          </UnstyledButton>
        ))}
      </div>
    </>
  );
}

function FromPreset({ preset }: { readonly preset: Preset }) {
  const inbounds = useAll(INBOUNDS);
  const tool = PRESET_TOOLS[preset];
  const [made] = useQueries({
    queries: [
      {
        queryKey: ["made for a new inbound", preset],
        queryFn: () =>
          tool === undefined
            ? Promise.resolve({})
            : makeKey({ tool, ...(tool === "ss-key" ? { body: { method: SHADOWSOCKS_METHOD } } : {}) }),
        // One key for one inbound: asked once, and not again when the window comes back.
        staleTime: Infinity,
        gcTime: 0,
        retry: false,
      },
    ],
  });
  // Keys in the answer are private: they stay in this component.
  const keys: PresetKeys | undefined = made.data;
  const error = made.error as ApiError | null;
  if (error) return <Failure error={error} retry={() => void made.refetch()} busy={made.isFetching} />;
  if (!inbounds || !keys) return <LoadingLines lines={8} />;
  const port = freePort(inbounds);
  const document = presetDocument(preset, port, keys);
  const tag = freeName(
    String(document["tag"]),
    inbounds.map((each) => each.tag),
  );
  return <Begin begun={{ initial: { ...document, tag }, draft: `inbounds/new/${preset}` }} />;
}

function Begin({ begun }: { readonly begun: Begun }) {
  const words = useWords("pool").inbounds;
  return (
    <>
      <Create kind={INBOUND_FORM} begun={begun} />
      <Group justify="center">
        <Button component={Link} href="/inbounds/new" variant="subtle" size="compact-sm">
          {words.otherPreset}
        </Button>
      </Group>
    </>
  );
}
