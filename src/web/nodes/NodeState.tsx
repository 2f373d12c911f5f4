// State of one node: since when, why, what is next, and a link to every transition. Each obstacle is shown with the
// button that solves it.
import { Alert, Anchor, Button, Group, List, Text } from "@mantine/core";
import { IconAlertTriangle, IconArrowRight } from "@tabler/icons-react";
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import { Ago, Moment, Since } from "../parts/Ago.tsx";
import { Code } from "../parts/Names.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { useCan, useMaySendAccounts } from "../session/me.ts";
import { useActorWords } from "../words/use-actor-words.ts";
import { useCause } from "../words/use-cause.ts";
import { useNotice } from "../words/use-notice.ts";
import { useWords } from "../words/words.ts";
import type { ActorDetail } from "./actor.ts";
import classes from "./nodes.module.css";
import type { Node } from "./node.ts";
import type { Standing } from "./node-standing.ts";
import { useNextStep } from "./NodeStanding.tsx";

export interface NodeStateProps {
  readonly node: Node;
  readonly standing: Standing;
  readonly actor: ActorDetail | undefined;
  readonly onRepin: () => void;
}

export function NodeState({ node, standing, actor, onRepin }: NodeStateProps) {
  const words = useWords("nodes");
  const { record } = words;
  const format = useFormat();
  const can = useCan();
  const sends = useMaySendAccounts();
  const next = useNextStep({ ...standing, attempts: 0 });
  const troubled = standing.attempts > 0;
  const { meaning: meaningText } = useActorWords();
  const causeText = useCause();
  const noticeText = useNotice();
  const meaning = actor ? meaningText("node", actor.state, actor.meaning) : "";
  return (
    <Panel
      title={record.state}
      actions={
        can("stats:read") ? (
          <Anchor component={Link} href={`/inspect/node/${node.id}`} size="sm">
            <Group gap={4} wrap="nowrap">
              {record.inspector} <IconArrowRight size={14} aria-hidden className={classes["forward"] ?? ""} />
            </Group>
          </Anchor>
        ) : undefined
      }
    >
      {meaning === "" ? null : (
        <Text size="sm" c="dimmed" mb="xs">
          {meaning}
        </Text>
      )}
      <FailureCause node={node} standing={standing} />
      <Facts
        items={[
          {
            label: !troubled ? record.since : standing.case === "refused" ? record.refusedSince : record.outSince,
            value: <SinceWhen at={standing.since} />,
          },
          { label: record.serves, value: record.servesStates[node.serves] },
          { label: record.configuration, value: node.revision === 0 ? undefined : <Progress node={node} /> },
          { label: record.lastHeard, value: node.status === "connected" ? undefined : <LastHeard node={node} /> },
          { label: record.lastTraffic, value: node.usedAt === 0 ? undefined : <Ago at={node.usedAt} /> },
          {
            label: record.why,
            value:
              standing.message === "" || standing.prints || isTold(standing) ? undefined : (
                <bdi className={classes["why"]} title={standing.message}>
                  {causeText(standing.cause, standing.message)}
                </bdi>
              ),
          },
          { label: record.attempts, value: troubled ? format.number(standing.attempts) : undefined },
          { label: record.next, value: next === "" ? record.nothingNext : next },
        ]}
      />
      {standing.prints ? (
        <Alert
          color="red"
          variant="light"
          mt="md"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={words.standing.mismatched}
        >
          <Facts
            items={[
              { label: words.confirm.repin.saved, value: <Code copy>{standing.prints.saved}</Code> },
              { label: words.confirm.repin.presented, value: <Code copy>{standing.prints.presented}</Code> },
            ]}
          />
          {sends ? (
            <Button size="xs" mt="sm" variant="default" onClick={onRepin}>
              {words.verbs.repin}…
            </Button>
          ) : null}
        </Alert>
      ) : null}
      {node.warnings.length > 0 ? (
        <Alert
          color="orange"
          variant="light"
          mt="md"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={record.warnings}
        >
          <Text size="xs" c="dimmed" mb={6}>
            {record.warningsText}
          </Text>
          <List size="sm" spacing={4}>
            {node.notices.map((notice) => (
              <List.Item key={notice.detail}>
                {notice.tag === "" ? null : <Code>{notice.tag}</Code>}{" "}
                <bdi {...(notice.code === "other" ? { lang: "en" } : {})}>{noticeText(notice)}</bdi>
              </List.Item>
            ))}
          </List>
        </Alert>
      ) : null}
    </Panel>
  );
}

/** Said at the top, before anything else. */
function isTold({ case: seen }: Standing): boolean {
  return seen === "refused" || seen === "duplicate";
}

/** What keeps a node that is reached from serving, in the words of who refused, and the way out. */
function FailureCause({ node, standing }: Pick<NodeStateProps, "node" | "standing">) {
  const { record } = useWords("nodes");
  const causeText = useCause();
  if (!isTold(standing)) return null;
  const duplicate = standing.case === "duplicate";
  const holder = duplicate ? node.cause?.values[0] : undefined;
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={duplicate ? record.duplicateOf : record.refusedBy}
    >
      <bdi className={classes["why"]} title={standing.message}>
        {causeText(standing.cause, standing.message)}
      </bdi>
      <Text size="xs" c="dimmed" mt={6}>
        {duplicate ? record.duplicateText : record.refusedText}
      </Text>
      {holder === undefined ? null : (
        <Anchor component={Link} href={`/nodes/${holder}`} size="sm">
          {record.holder}
        </Anchor>
      )}
    </Alert>
  );
}

/** What the agent acknowledged, since when, and what is wanted where that is something else. */
function Progress({ node: { revision, applied, appliedAt } }: Pick<NodeStateProps, "node">) {
  const { record } = useWords("nodes");
  const format = useFormat();
  if (applied === 0) return record.notApplied(format.number(revision));
  return (
    <span>
      {revision === applied
        ? record.applied(format.number(applied))
        : record.appliedBehind(format.number(applied), format.number(revision))}
      {" · "}
      <Ago at={appliedAt} />
    </span>
  );
}

/** The last word of an agent that says nothing now, and who was online by it. */
function LastHeard({ node }: Pick<NodeStateProps, "node">) {
  const { never, record } = useWords("nodes");
  const format = useFormat();
  return (
    <span>
      <Ago at={node.heardAt} none={never} />
      {node.heardOnline === 0 ? null : ` · ${record.onlineThen(format.number(node.heardOnline))}`}
    </span>
  );
}

/** The moment and how long ago it was. */
function SinceWhen({ at }: { readonly at: number }) {
  return (
    <span>
      <Moment at={at} style="precise" /> · <Since at={at} />
    </span>
  );
}
