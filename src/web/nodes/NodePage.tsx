// One node: how it stands, what flows, what it is, and what can be done with it.
import { useState } from "react";
import { useParams } from "wouter";
import { useTransitions } from "../api/live.ts";
import { useApi } from "../api/queries.ts";
import { Answer, Empty, LoadingLines } from "../parts/Answer.tsx";
import { Code, Name } from "../parts/Names.tsx";
import { PageHead } from "../parts/Record.tsx";
import { UrlTabs } from "../parts/UrlTabs.tsx";
import { useCan } from "../session/me.ts";
import { usePageTitle } from "../shell/title.ts";
import { useWords } from "../words/words.ts";
import { MoveDialog } from "./MoveDialog.tsx";
import type { Node } from "./node.ts";
import { NodeActions } from "./NodeActions.tsx";
import { NodeFacts } from "./NodeFacts.tsx";
import { NodeLive } from "./NodeLive.tsx";
import classes from "./nodes.module.css";
import { NodeRefusals } from "./NodeRefusals.tsx";
import { NodeSettings } from "./NodeSettings.tsx";
import { NodeState } from "./NodeState.tsx";
import type { ActorDetail } from "./actor.ts";
import { NodeUsage } from "./NodeUsage.tsx";
import { standingOf } from "./standing.ts";
import { StandingBadge } from "./StandingText.tsx";
import { useNodesRefreshed, useNodeVerbs } from "./use-node-verbs.tsx";

/** Heartbeats come every ten seconds and are no transitions: the figures are asked for. */
const FIGURES_MS = 5000;

export default function NodePage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("nodes");
  const can = useCan();
  const refresh = useNodesRefreshed();
  const node = useApi<Node>(`/nodes/${id}`, {}, { refetchInterval: FIGURES_MS });
  const actor = useApi<ActorDetail>(`/actors/node/${id}`, {}, { enabled: can("stats:read") });
  useTransitions({ kind: "node", id }, () => refresh(Number(id)));
  usePageTitle(node.data?.name ?? words.title);
  if (node.error?.status === 404) {
    return (
      <>
        <PageHead title={words.title} back={{ href: "/nodes", label: words.title }} />
        <Empty title={words.record.gone} />
      </>
    );
  }
  return (
    <Answer of={node} loading={<LoadingLines lines={8} />}>
      {(shown) => <Record node={shown} actor={actor.data} />}
    </Answer>
  );
}

function Record({ node, actor }: { readonly node: Node; readonly actor: ActorDetail | undefined }) {
  const words = useWords("nodes");
  const can = useCan();
  const verbs = useNodeVerbs({ afterDelete: "/nodes" });
  const [moving, setMoving] = useState(false);
  const standing = standingOf(node, actor && { ...actor, fault: actor.fault !== null });
  const overview = (
    <div className={classes["columns"]}>
      <div className={classes["stack"]}>
        <NodeState node={node} standing={standing} actor={actor} onRepin={() => verbs.repin(node)} />
        <NodeLive node={node} />
      </div>
      <div className={classes["stack"]}>
        <NodeUsage node={node} />
        <NodeRefusals nodeId={node.id} />
        <NodeFacts node={node} actor={actor} />
      </div>
    </div>
  );
  return (
    <>
      <PageHead
        title={<Name>{node.name}</Name>}
        beside={<StandingBadge standing={standing} large />}
        under={
          <>
            <Code>{`${node.address}:${node.port}`}</Code>
            {node.remark === "" ? null : (
              <>
                {" · "}
                <bdi>{node.remark}</bdi>
              </>
            )}
          </>
        }
        back={{ href: "/nodes", label: words.title }}
        actions={
          can("nodes:write") ? <NodeActions node={node} verbs={verbs} onMove={() => setMoving(true)} /> : undefined
        }
      />
      {can("nodes:write") ? (
        <UrlTabs
          tabs={[
            { id: "overview", label: words.record.overview, content: overview },
            {
              id: "settings",
              label: words.record.settings,
              content: <NodeSettings node={node} onMove={() => setMoving(true)} />,
            },
          ]}
        />
      ) : (
        overview
      )}
      {verbs.dialogs}
      {moving ? <MoveDialog node={node} onClose={() => setMoving(false)} /> : null}
    </>
  );
}
