// One node: how it stands, what flows, what it is, and what can be done with it.
import { Switch } from "@mantine/core";
import { lazy } from "react";
import { useParams } from "wouter";
import { useTransitions } from "../api/live.ts";
import { useApi } from "../api/queries.ts";
import { Code } from "../parts/Names.tsx";
import { RecordFrame, RecordPage, type RecordList } from "../parts/RecordPage.tsx";
import { useRecordTouched } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import type { ActorDetail } from "./actor.ts";
import type { Node } from "./node.ts";
import { NodeFacts } from "./NodeFacts.tsx";
import { NodeLive } from "./NodeLive.tsx";
import { NodeRefusals } from "./NodeRefusals.tsx";
import { NodeState } from "./NodeState.tsx";
import { NodeUsage } from "./NodeUsage.tsx";
import classes from "./nodes.module.css";
import { standingOf } from "./node-standing.ts";
import { StandingBadge } from "./NodeStanding.tsx";
import { NODES, useNodeVerbs } from "./use-node-verbs.tsx";

/** Tabs are loaded when they are opened, with the plots that they draw. */
const NodeHealth = lazy(() => import("./health/NodeHealth.tsx"));
const NodeUsers = lazy(() => import("./traffic/NodeUsers.tsx"));
const NodeTraffic = lazy(() => import("./traffic/NodeTraffic.tsx"));
const NodeSettings = lazy(() => import("./NodeSettings.tsx"));

/** Heartbeats come every ten seconds and are no transitions: the figures are asked for. */
const FIGURES_MS = 5000;

export default function NodePage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("nodes");
  const can = useCan();
  const touched = useRecordTouched(NODES);
  const node = useApi<Node>(`/nodes/${id}`, {}, { refetchInterval: FIGURES_MS });
  const actor = useApi<ActorDetail>(`/actors/node/${id}`, {}, { enabled: can("stats:read") });
  useTransitions({ kind: "node", id }, () => touched(id));
  const list = { id: "nodes", href: "/nodes", title: words.title };
  return (
    <RecordPage of={node} list={list} missing={{ title: words.record.gone }}>
      {(shown) => <NodeRecord key={shown.id} node={shown} actor={actor.data} list={list} />}
    </RecordPage>
  );
}

interface NodeRecordProps {
  readonly node: Node;
  readonly actor: ActorDetail | undefined;
  readonly list: RecordList;
}

function NodeRecord({ node, actor, list }: NodeRecordProps) {
  const words = useWords("nodes");
  const can = useCan();
  const writes = can("nodes:write");
  const verbs = useNodeVerbs(list.href);
  const standing = standingOf(node, actor && { ...actor, fault: actor.fault !== null });
  const overview = (
    <div className={classes["columns"]}>
      <div className={classes["stack"]}>
        <NodeState node={node} standing={standing} actor={actor} onRepin={() => verbs.run(node, "repin")} />
        <NodeLive node={node} />
      </div>
      <div className={classes["stack"]}>
        <NodeUsage node={node} />
        <NodeRefusals nodeId={node.id} />
        <NodeFacts node={node} actor={actor} />
      </div>
    </div>
  );
  const health = <NodeHealth nodeId={node.id} />;
  const settings = <NodeSettings node={node} onMove={() => verbs.run(node, "move")} />;
  return (
    <RecordFrame
      record={node}
      name={node.name}
      list={list}
      href={`/nodes/${node.id}`}
      verbs={verbs}
      beside={<StandingBadge standing={standing} large />}
      under={
        <>
          <Code>{`${node.address}:${node.port}`}</Code>
          {node.remark === "" ? null : <bdi>{` · ${node.remark}`}</bdi>}
        </>
      }
      controls={
        writes ? (
          <Switch
            label={words.columns.enabled}
            checked={node.enabled}
            disabled={verbs.busy(node)}
            onChange={() => verbs.run(node, "switch")}
          />
        ) : undefined
      }
      tabs={[
        { id: "overview", label: words.record.overview, content: overview },
        { id: "health", label: words.health.tab, content: health },
        { id: "users", label: words.traffic.users, content: <NodeUsers nodeId={node.id} /> },
        (can("stats:read") || can("users:read")) && {
          id: "traffic",
          label: words.traffic.tab,
          content: <NodeTraffic nodeId={node.id} />,
        },
        writes && { id: "settings", label: words.record.settings, content: settings },
      ]}
    />
  );
}
