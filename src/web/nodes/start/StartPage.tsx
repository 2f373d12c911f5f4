// The first minutes: what to serve, on which machine, and then the first user. A person who comes back sees which steps
// are done.
import { Button, Group, Radio, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { call, type ApiError } from "../../api/call.ts";
import { useApi, type Listing } from "../../api/queries.ts";
import { Failure } from "../../parts/Answer.tsx";
import { PageHead, Panel } from "../../parts/Record.tsx";
import { fieldProblems } from "../../parts/refusal.ts";
import { usePageTitle } from "../../browser/title.ts";
import { useWords } from "../../words/words.ts";
import { ConnectNode } from "../ConnectNode.tsx";
import { Made } from "./Made.tsx";
import { PortInput, type TypedPort } from "../PortInput.tsx";
import { freeClientPort, freePort, type Listening } from "../free-port.ts";
import { LOCAL_ADDRESS, type Node } from "../node.ts";
import classes from "../nodes.module.css";
import {
  inboundBody,
  localNodeBody,
  templateBody,
  type FirstServer,
  type RealityKeys,
  type Serving,
} from "./first-server.ts";

export default function StartPage() {
  const { start } = useWords("nodes");
  const [search, setSearch] = useSearchParams();
  const id = Number(search.get("id") ?? 0);
  usePageTitle(start.title);
  return (
    <div className={classes["narrow"]}>
      <PageHead title={start.title} under={start.under} />
      {id > 0 ? (
        <ConnectNode
          id={id}
          then={(node) => (
            <Group gap="xs">
              <Button component={Link} href="/users/new">
                {start.user}
              </Button>
              <Button component={Link} href={`/nodes/${node.id}`} variant="default">
                {start.node}
              </Button>
            </Group>
          )}
          beside={(node) => <Made node={node} />}
        />
      ) : (
        <Choose onNode={(node) => setSearch({ id: String(node) }, { replace: true })} />
      )}
    </div>
  );
}

/** What was made before something was refused: it is not made again. */
interface Done {
  inbound?: number;
  template?: number;
  readonly request: string;
}

/** A name with a dot, without scheme, port or path: what a client says as the name of the server. */
const HOST_NAME = String.raw`[^\s\/:]+(\.[^\s\/:]+)+`;

/** What is typed; a port may be empty meanwhile. */
type Typed = { readonly [K in keyof FirstServer]: FirstServer[K] extends number ? TypedPort : FirstServer[K] };

/** Where the API's fields are asked for here. */
const FIELDS: Readonly<Record<string, keyof FirstServer>> = {
  tag: "port",
  "config.listen_port": "port",
  "config.tls.server_name": "site",
  "config.tls.reality.handshake.server": "site",
  linkAddress: "clientAddress",
  port: "agentPort",
};

function Choose({ onNode }: { readonly onNode: (id: number) => void }) {
  const { start, fields } = useWords("nodes");
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const [where, setWhere] = useState<"here" | "remote">("here");
  const parts = useWords("parts");
  const [typed, setTyped] = useState<
    Omit<Typed, "port" | "agentPort"> & { readonly port?: TypedPort; readonly agentPort?: TypedPort }
  >({
    serving: "plain",
    site: "www.microsoft.com",
    clientAddress: location.hostname,
  });
  const nodes = useApi<Listing<Node>>("/nodes", { q: LOCAL_ADDRESS, limit: 1000 });
  const agentPort = typed.agentPort ?? freePort(nodes.data?.items ?? [], LOCAL_ADDRESS);
  const inbounds = useApi<Listing<Listening>>("/inbounds", { limit: 1000 });
  const port = typed.port ?? freeClientPort(inbounds.data?.items ?? []);
  const change = (part: Partial<Typed>) => setTyped({ ...typed, ...part });
  const server: FirstServer = { ...typed, port: Number(port), agentPort: Number(agentPort) };
  const made = useRef<Done>({ request: "" });
  const go = useMutation<number | undefined, ApiError>({
    mutationFn: async () => {
      const request = JSON.stringify([server.serving, server.port, server.site]);
      if (made.current.request !== request) made.current = { request };
      const done = made.current;
      done.inbound ??= await makeInbound(server);
      done.template ??= (await create("/templates", templateBody(start.templateName, done.inbound))).id;
      return where === "here"
        ? (await create("/nodes", localNodeBody(start.nodeName, done.template, server))).id
        : undefined;
    },
    onSuccess: (node) => {
      for (const path of ["/templates", "/nodes", "/actors", "/panel/info"])
        void queries.invalidateQueries({ queryKey: [path] });
      if (node === undefined) navigate("/nodes/new");
      else onNode(node);
    },
  });
  const refused = Object.entries(fieldProblems(go.error, parts));
  const problems = Object.fromEntries(
    refused.flatMap(([path, text]) => (FIELDS[path] === undefined ? [] : [[FIELDS[path], text]])),
  );
  const placed = refused.length > 0 && refused.every(([path]) => FIELDS[path] !== undefined);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        go.mutate();
      }}
    >
      <Stack>
        <Panel title={start.what}>
          <Radio.Group
            aria-label={start.what}
            value={server.serving}
            onChange={(value) => change({ serving: value === "reality" ? "reality" : "plain" })}
          >
            <Stack gap="xs">
              <Choice value="plain" label={start.plain} text={start.plainText} />
              <Choice value="reality" label={start.reality} text={start.realityText} />
            </Stack>
          </Radio.Group>
          <Group mt="md" align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
            <PortInput
              label={start.port}
              description={start.portHelp}
              value={port}
              error={problems["port"]}
              onChange={(chosen) => change({ port: chosen })}
            />
            {server.serving === "reality" ? (
              <TextInput
                label={start.site}
                description={start.siteHelp}
                value={typed.site}
                pattern={HOST_NAME}
                error={problems["site"]}
                onChange={(event) => change({ site: event.currentTarget.value.trim() })}
                dir="ltr"
                miw={200}
                required
              />
            ) : null}
          </Group>
        </Panel>
        <Panel title={start.where}>
          <SegmentedControl
            fullWidth
            aria-label={start.where}
            value={where}
            onChange={(value) => setWhere(value === "remote" ? "remote" : "here")}
            data={[
              { value: "here", label: start.here },
              { value: "remote", label: start.remote },
            ]}
          />
          <Text size="sm" c="dimmed" mt="xs">
            {where === "here" ? start.hereText : start.remoteText}
          </Text>
          {where === "here" ? (
            <Group mt="md" align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
              <TextInput
                label={fields.linkAddress}
                description={start.clientAddressHelp}
                value={typed.clientAddress}
                error={problems["clientAddress"]}
                onChange={(event) => change({ clientAddress: event.currentTarget.value.trim() })}
                dir="ltr"
                miw={200}
                required
              />
              <PortInput
                label={start.agentPort}
                description={start.agentPortHelp}
                value={agentPort}
                error={problems["agentPort"]}
                onChange={(chosen) => change({ agentPort: chosen })}
              />
            </Group>
          ) : null}
        </Panel>
        {go.error && !placed ? <Failure error={go.error} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={go.isPending}>
            {where === "here" ? start.submit : start.next}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Choice({ value, label, text }: { readonly value: Serving; readonly label: string; readonly text: string }) {
  return (
    <Radio.Card value={value} p="sm" radius="md">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Radio.Indicator mt={2} />
        <div>
          <Text size="sm" fw={500}>
            {label}
          </Text>
          <Text size="xs" c="dimmed">
            {text}
          </Text>
        </div>
      </Group>
    </Radio.Card>
  );
}

async function makeInbound(server: FirstServer): Promise<number> {
  const keys = server.serving === "reality" ? await call<RealityKeys>("POST", "/tools/reality-keypair") : undefined;
  return (await create("/inbounds", inboundBody(server, keys))).id;
}

function create(path: string, body: object): Promise<{ readonly id: number }> {
  return call<{ readonly id: number }>("POST", path, { body });
}
