// Follows a new node until it serves: the command for its machine, and the steps as the panel lives them.
import { Anchor, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconCheck, IconCircleDashed, IconDownload, IconExclamationCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTransitions } from "../api/live.ts";
import { useApi } from "../api/queries.ts";
import { Answer } from "../parts/Answer.tsx";
import { CopyButton } from "../parts/CopyButton.tsx";
import { Code } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { useRecordTouched } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { useCause } from "../words/use-cause.ts";
import { useWords } from "../words/words.ts";
import { agentCommand, TRUST_FILE } from "./agent-command.ts";
import { connectSteps, type StepState } from "./connect-steps.ts";
import type { Node } from "./node.ts";
import classes from "./nodes.module.css";
import { contextText, type ActorDetail } from "./actor.ts";
import { standingOf, type Standing } from "./node-standing.ts";
import { useNextStep } from "./NodeStanding.tsx";
import { NODES, useNodeVerbs } from "./use-node-verbs.tsx";

export interface ConnectNodeProps {
  readonly id: number;
  /** What to offer once it is connected. */
  readonly then: (node: Node) => ReactNode;
  /** What to say of the node meanwhile. */
  readonly beside?: (node: Node) => ReactNode;
}

/** Where no transition is heard, it is asked for. */
const AGAIN_MS = 3000;

export function ConnectNode({ id, then, beside }: ConnectNodeProps) {
  const can = useCan();
  const touched = useRecordTouched(NODES);
  const node = useApi<Node>(`/nodes/${id}`, {}, { refetchInterval: AGAIN_MS });
  const actor = useApi<ActorDetail>(
    `/actors/node/${id}`,
    {},
    { enabled: can("stats:read"), refetchInterval: AGAIN_MS },
  );
  useTransitions({ kind: "node", id: String(id) }, () => touched(id));
  return (
    <Answer of={node}>
      {(shown) => {
        const standing = standingOf(shown, actor.data && { ...actor.data, fault: actor.data.fault !== null });
        const connected = standing.status === "connected";
        return (
          <Stack>
            {shown.isLocal || connected ? null : <StartAgent node={shown} />}
            <Progress node={shown} standing={standing} fingerprint={contextText(actor.data, "fingerprint")} />
            {beside?.(shown)}
            {connected ? then(shown) : null}
          </Stack>
        );
      }}
    </Answer>
  );
}

function StartAgent({ node }: { readonly node: Node }) {
  const { connect } = useWords("nodes");
  const can = useCan();
  const trust = useApi<{ certificate: string }>("/nodes/install/trust", {}, { enabled: can("nodes:install") });
  if (!can("nodes:install")) return null;
  return (
    <Panel title={connect.command}>
      <Answer of={trust}>
        {({ certificate }) => {
          const command = agentCommand({ port: node.port, certificate });
          return (
            <Stack gap="sm">
              <Text size="sm">{connect.onMachine(node.address)}</Text>
              {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
              <pre className={classes["command"]} dir="ltr" tabIndex={0}>
                {command}
              </pre>
              <Group gap="xs">
                <CopyButton value={command} label={connect.copy} wide variant="filled" />
                <Button
                  component="a"
                  href={`data:application/x-pem-file,${encodeURIComponent(certificate)}`}
                  download={TRUST_FILE}
                  variant="default"
                  size="sm"
                  leftSection={<IconDownload size={16} aria-hidden />}
                >
                  {connect.download}
                </Button>
              </Group>
              <Text size="xs" c="dimmed">
                {connect.trustText} {connect.lasting}
              </Text>
            </Stack>
          );
        }}
      </Answer>
    </Panel>
  );
}

function Progress({
  node,
  standing,
  fingerprint,
}: {
  readonly node: Node;
  readonly standing: Standing;
  readonly fingerprint: string;
}) {
  const words = useWords("nodes");
  const { connect } = words;
  const next = useNextStep(standing);
  const causeText = useCause();
  const verbs = useNodeVerbs();
  return (
    <Panel title={standing.status === "connected" ? connect.connected(node.name) : connect.title(node.name)}>
      <ol className={classes["steps"]} aria-live="polite">
        {connectSteps(standing, fingerprint !== "").map(({ id, state }) => (
          <li key={id} className={classes["step"]} data-state={state}>
            <span className={classes["stepMark"]}>
              <StepMark state={state} />
            </span>
            <div>
              {connect.steps[id]}
              {id === "dial" && state === "done" && fingerprint !== "" && !node.isLocal ? (
                <Text size="xs" c="dimmed" component="div">
                  {connect.fingerprint}: <Code copy>{fingerprint}</Code>
                </Text>
              ) : null}
              {shows(state) && standing.status === "error" ? (
                <Text size="xs" c="dimmed" component="div">
                  <bdi>{causeText(standing.cause, standing.message)}</bdi>
                </Text>
              ) : null}
              {shows(state) && node.isLocal && standing.case === "backoff" ? (
                <Text size="xs" component="div">
                  {connect.portTaken(String(node.port))}
                </Text>
              ) : null}
              {shows(state) ? (
                <Group gap="xs" mt={2}>
                  <Text size="xs" c="dimmed">
                    {next === "" ? connect.waiting : next}
                  </Text>
                  {standing.status === "error" ? (
                    <Anchor
                      component="button"
                      type="button"
                      size="xs"
                      onClick={() => verbs.run(node, "reconnect")}
                      disabled={verbs.busy(node)}
                    >
                      {connect.tryNow}
                    </Anchor>
                  ) : null}
                </Group>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {standing.status === "connected" && node.templateId === null ? (
        <Text size="sm" c="dimmed" mt="xs">
          {connect.servesNothing}
        </Text>
      ) : null}
    </Panel>
  );
}

/** The step at which the node is says what happens there. */
function shows(state: StepState): boolean {
  return state === "failed" || state === "current";
}

function StepMark({ state }: { readonly state: StepState }) {
  switch (state) {
    case "done":
      return <IconCheck size={18} color="var(--tone-ok)" aria-hidden />;
    case "failed":
      return <IconExclamationCircle size={18} color="var(--tone-failed)" aria-hidden />;
    case "current":
      return <Loader size={15} />;
    case "ahead":
      return <IconCircleDashed size={18} color="var(--dim)" aria-hidden />;
  }
}
