// A new inbound: what it speaks, then its form with everything filled in that can be; or another one's copy. What was
// chosen stands in the address.
import { Button, Group, Text, UnstyledButton } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { call, type ApiError } from "../../api/call.ts";
import { useApi } from "../../api/queries.ts";
import { Failure, LoadingLines } from "../../parts/Answer.tsx";
import { useDocumentForm } from "../../parts/form/document-form.ts";
import { PageHead } from "../../parts/Record.tsx";
import { useSettle } from "../../parts/use-verbs.tsx";
import { usePageTitle } from "../../shell/title.ts";
import { useWords } from "../../words/words.ts";
import { makeKey } from "../KeyTool.tsx";
import { freeName, freePort, inboundDocument, type Inbound, type Json } from "../../fragments/records.ts";
import classes from "../../fragments/fragments.module.css";
import { typesIn, useRecordSchema } from "../../fragments/use-config-schema.ts";
import { useInbounds } from "../../fragments/use-pool.ts";
import { InboundForm } from "./InboundForm.tsx";
import { PRESET_TOOLS, PRESETS, presetDocument, SHADOWSOCKS_METHOD, type Preset, type PresetKeys } from "./presets.ts";
import { INBOUNDS } from "./use-inbound-verbs.tsx";

export default function NewInboundPage() {
  const words = useWords("pool").inbounds;
  const [search] = useSearchParams();
  const preset = PRESETS.find((each) => each === search.get("preset"));
  const from = Number(search.get("from") ?? 0);
  usePageTitle(words.newTitle);
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.newTitle} back={{ href: "/inbounds", label: words.title }} />
      {preset ? <FromPreset key={preset} preset={preset} /> : from > 0 ? <FromOther id={from} /> : <Choose />}
    </div>
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
  const inbounds = useInbounds();
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
  return <Create initial={{ ...document, tag }} draft={`inbounds/new/${preset}`} />;
}

function FromOther({ id }: { readonly id: number }) {
  const other = useApi<Inbound>(`/inbounds/${id}`);
  const inbounds = useInbounds();
  if (other.error) return <Failure error={other.error} retry={() => void other.refetch()} />;
  if (!other.data || !inbounds) return <LoadingLines lines={8} />;
  const document = inboundDocument(other.data);
  const tag = freeName(
    `${other.data.tag}-copy`,
    inbounds.map((each) => each.tag),
  );
  const config = { ...other.data.config, listen_port: freePort(inbounds) };
  return <Create initial={{ ...document, tag, config }} draft={`inbounds/new/from-${id}`} />;
}

function Create({ initial, draft }: { readonly initial: Json; readonly draft: string }) {
  const words = useWords("pool");
  const [, navigate] = useLocation();
  const settle = useSettle(INBOUNDS);
  // What it begins with is fixed when the page opens: another inbound that appears meanwhile moves nothing.
  const [begun] = useState(initial);
  const [type, setType] = useState(String(begun["type"]));
  const schema = useRecordSchema("createInbound", "inbounds", type);
  const types = useMemo(() => typesIn(schema), [schema]);
  const form = useDocumentForm<Inbound>({
    draft,
    initial: begun,
    schema,
    save: (_, whole) => call("POST", "/inbounds", { body: whole }),
    onDone: (saved) => {
      settle(saved, { said: words.created(saved.tag) });
      navigate(`/inbounds/${saved.id}`);
    },
  });
  const stated = form.at("type");
  if (typeof stated === "string" && stated !== type) setType(stated);
  return (
    <>
      <InboundForm form={form} schema={schema} types={types} submit={words.inbounds.create} fresh />
      <Group justify="center">
        <Button component={Link} href="/inbounds/new" variant="subtle" size="compact-sm">
          {words.inbounds.otherPreset}
        </Button>
      </Group>
    </>
  );
}
