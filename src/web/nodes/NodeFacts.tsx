// What a node is: where it answers, what it serves, what runs on it, which key it is known by.
import { Text } from "@mantine/core";
import { useFormat } from "../format/use-format.ts";
import { Ago, Moment } from "../parts/Ago.tsx";
import { Code, Name } from "../parts/Names.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { hasConnection, type Node } from "./node.ts";
import { contextText, type ActorDetail } from "./actor.ts";
import { useTemplates } from "./use-templates.ts";

export function NodeFacts({ node, actor }: { readonly node: Node; readonly actor: ActorDetail | undefined }) {
  const words = useWords("nodes");
  const { record } = words;
  const format = useFormat();
  const template = useTemplates().data?.find(({ id }) => id === node.templateId);
  const engine = [contextText(actor, "engine"), node.coreVersion].filter((part) => part !== "").join(" ");
  const fingerprint = contextText(actor, "fingerprint");
  const machine = [node.arch, node.setup].filter((part) => part !== "").join(" · ");
  return (
    <Panel title={record.facts}>
      <Facts
        items={[
          { label: record.address, value: <Code copy>{`${node.address}:${node.port}`}</Code> },
          {
            label: record.linkAddress,
            value: <Code>{node.linkAddress === "" ? node.address : node.linkAddress}</Code>,
          },
          {
            label: record.template,
            value:
              node.templateId === null ? (
                <Text size="sm" c="dimmed" component="span">
                  {words.noTemplate}
                </Text>
              ) : (
                <Name>{template?.name ?? `#${node.templateId}`}</Name>
              ),
          },
          { label: record.engine, value: engine === "" ? undefined : <Code>{engine}</Code> },
          { label: record.agent, value: node.nodeVersion === "" ? undefined : <Code>{node.nodeVersion}</Code> },
          { label: record.machine, value: machine === "" ? undefined : <Code>{machine}</Code> },
          {
            label: record.fingerprint,
            value:
              actor === undefined ? undefined : fingerprint === "" ? (
                record.noFingerprint
              ) : (
                <Code copy>{fingerprint}</Code>
              ),
          },
          {
            label: record.multiplier,
            value: node.multiplier === 1 ? undefined : `× ${format.number(node.multiplier)}`,
          },
          {
            label: record.greeted,
            value: (actor ? hasConnection(actor.state) : node.status === "connected") ? (
              <Ago at={node.infoSeenAt} none={words.never} />
            ) : undefined,
          },
          { label: record.added, value: <Moment at={node.createdAt} /> },
        ]}
      />
    </Panel>
  );
}
