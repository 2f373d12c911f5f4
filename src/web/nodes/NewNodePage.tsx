// Adds a node: describe it, start its agent (the panel does that on its own machine), and see it connect. The node that
// is awaited stands in the address.
import { Button, Group, Select, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { useApi, useApiMutation, type Listing } from "../api/queries.ts";
import { Failure } from "../parts/Answer.tsx";
import { fieldProblems } from "../parts/refusal.ts";
import { PageHead, Panel } from "../parts/Record.tsx";
import { useCan } from "../session/me.ts";
import { sayDone } from "../browser/toasts.tsx";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { ConnectNode } from "./ConnectNode.tsx";
import { freePort } from "./free-port.ts";
import { LOCAL_ADDRESS, type Node } from "./node.ts";
import classes from "./nodes.module.css";
import { PortInput, type TypedPort } from "./PortInput.tsx";
import { useTemplates } from "./use-templates.ts";

export default function NewNodePage() {
  const words = useWords("nodes");
  const can = useCan();
  const [search, setSearch] = useSearchParams();
  const id = Number(search.get("id") ?? 0);
  usePageTitle(words.create.title);
  const another = () => setSearch(new URLSearchParams());
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.create.title} back={{ href: "/nodes", label: words.title }} />
      {id > 0 ? (
        <ConnectNode
          id={id}
          then={(node) => (
            <Group gap="xs">
              <Button component={Link} href={`/nodes/${node.id}`}>
                {words.connect.openRecord}
              </Button>
              {can("users:write") ? (
                <Button component={Link} href="/users/new" variant="default">
                  {words.connect.createUser}
                </Button>
              ) : null}
              <Button variant="subtle" onClick={another}>
                {words.create.another}
              </Button>
            </Group>
          )}
        />
      ) : (
        <Describe onCreated={(node) => setSearch({ id: String(node.id) }, { replace: true })} />
      )}
    </div>
  );
}

function Describe({ onCreated }: { readonly onCreated: (node: Node) => void }) {
  const words = useWords("nodes");
  const parts = useWords("parts");
  const templates = useTemplates().data ?? [];
  const nodes = useApi<Listing<Node>>("/nodes", { limit: 1000 });
  const [where, setWhere] = useState<"here" | "remote">("remote");
  const [name, setName] = useState("");
  const [address, setAddress] = useState("");
  const [port, setPort] = useState<TypedPort>();
  const [template, setTemplate] = useState<string | null>();
  const local = where === "here";
  // Agents of one machine share its ports.
  const usualPort = freePort(nodes.data?.items ?? [], local ? LOCAL_ADDRESS : address.trim());
  const chosen = template === undefined ? templates[0] && String(templates[0].id) : template;
  const create = useApiMutation<Node>(
    () => ({
      method: "POST",
      path: "/nodes",
      body: {
        name: name.trim(),
        address: local ? LOCAL_ADDRESS : address.trim(),
        port: port ?? usualPort,
        isLocal: local,
        ...(chosen ? { templateId: Number(chosen) } : {}),
        ...(local ? { linkAddress: location.hostname } : {}),
      },
    }),
    {
      refreshes: ["/nodes", "/actors"],
      onDone: (node) => {
        sayDone(words.done.created(node.name));
        onCreated(node);
      },
    },
  );
  const problems = fieldProblems(create.error, parts);
  const fields = local ? ["name", "port", "templateId"] : ["name", "address", "port", "templateId"];
  return (
    <Panel>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack>
          <div>
            <SegmentedControl
              fullWidth
              aria-label={words.create.where}
              value={where}
              onChange={(value) => setWhere(value === "here" ? "here" : "remote")}
              data={[
                { value: "remote", label: words.create.remote },
                { value: "here", label: words.create.here },
              ]}
            />
            <Text size="sm" c="dimmed" mt={6}>
              {local ? words.create.hereText : words.create.remoteText}
            </Text>
          </div>
          <TextInput
            label={words.fields.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problems["name"]}
            maxLength={128}
            required
            autoFocus
          />
          <Group grow align="flex-start" preventGrowOverflow={false} wrap="wrap">
            {local ? null : (
              <TextInput
                label={words.fields.address}
                description={words.fields.addressHelp}
                value={address}
                onChange={(event) => setAddress(event.currentTarget.value)}
                error={problems["address"]}
                miw={220}
                dir="ltr"
                required
              />
            )}
            <PortInput
              label={words.fields.port}
              description={local ? words.create.portTaken : words.fields.portHelp}
              value={port ?? usualPort}
              onChange={setPort}
              error={problems["port"]}
              miw={140}
            />
          </Group>
          <Select
            label={words.fields.template}
            description={words.fields.templateHelp}
            placeholder={words.fields.noTemplate}
            value={chosen ?? null}
            onChange={setTemplate}
            data={templates.map((each) => ({ value: String(each.id), label: each.name }))}
            error={problems["templateId"]}
            clearable
          />
          {create.error && !fields.includes(create.error.field ?? "") ? <Failure error={create.error} /> : null}
          <Group justify="flex-end">
            <Button component={Link} href="/nodes" variant="default">
              {words.create.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {words.create.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
