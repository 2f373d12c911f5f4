// The first page: what needs a person, and the fleet at a glance.
import { Alert, Anchor, Text } from "@mantine/core";
import { lazy } from "react";
import { Link } from "wouter";
import { useCounts, useRefreshed } from "../api/live.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { NODE_STATUSES, statusCounts, type Node, type NodeStatus } from "../nodes/node.ts";
import type { Actor } from "../nodes/node-standing.ts";
import { Failure, LoadingLines } from "../parts/Answer.tsx";
import { Late } from "../parts/Late.tsx";
import { useNow } from "../parts/now.ts";
import { PageHead, Panel } from "../parts/Record.tsx";
import { useCan, useMe } from "../session/me.ts";
import { usePageTitle } from "../browser/title.ts";
import { endsParameters, type Summary } from "../users/user.ts";
import { useWords } from "../words/words.ts";
import { firstSteps, nextStep, START_SCOPES, type MadeRecord, type Step } from "./first-steps.ts";
import type { PanelInfo } from "./info.ts";
import { Lately } from "./Lately.tsx";
import { MOST_NEEDS, Needs } from "./Needs.tsx";
import { needsOf } from "./needs.ts";
import classes from "./overview.module.css";
import { TileButton } from "./TileButton.tsx";
import { Tiles } from "./Tiles.tsx";
import type { TileId } from "./tiles.ts";
import { useTiles } from "./use-tiles.ts";

/** On a new panel alone. */
const FirstSteps = lazy(() => import("./FirstSteps.tsx"));

/** For resellers alone. */
const AllowancePanel = lazy(() => import("./AllowancePanel.tsx"));

/** Needs plots. */
const Figures = lazy(() => import("./Figures.tsx"));

const FIGURES_MS = 10_000;
const BY_REASON = { by: "reason" };

/** A node that is tried again is in trouble all the same. */
const TROUBLED_STATES = "error.*,linked.refused.*,linked.connecting.*";

export default function OverviewPage() {
  const words = useWords("overview");
  const can = useCan();
  const { base } = useMe();
  const seesActors = can("stats:read") && base !== "resale";
  const needs = seesActors && can("nodes:read");
  const seesUsers = can("users:read");
  const seesFigures = can("stats:read") || seesUsers;
  usePageTitle(words.title);
  const may = (id: TileId) => (id === "nodes" ? needs : id === "panel" ? seesActors : seesUsers);
  const { chosen, choose } = useTiles(may);
  const hour = useNow(3600);
  const ending = useApi<Listing<unknown>>(
    "/users",
    { ...endsParameters("week", hour), limit: 1 },
    { enabled: seesUsers && chosen.includes("ending"), refetchInterval: FIGURES_MS },
  );
  const summary = useApi<Summary>("/users/summary", BY_REASON, { enabled: seesUsers, refetchInterval: FIGURES_MS });
  const info = useApi<PanelInfo>("/panel/info", {}, { enabled: seesActors, refetchInterval: FIGURES_MS });
  const notListening = info.data?.notListening ?? [];
  const live = useCounts("node");
  const states = live ?? info.data?.actors["node"];
  const nodes = states && statusCounts(states);
  const steps = useFirstSteps(nodes, summary.data?.total);
  return (
    <>
      <PageHead title={words.title} actions={<TileButton chosen={chosen} may={may} choose={choose} />} />
      {summary.error ? (
        <Failure error={summary.error} retry={() => void summary.refetch()} busy={summary.isFetching} />
      ) : null}
      <Late fallback={<LoadingLines />} when={steps !== undefined || summary.error !== null || info.error !== null}>
        {steps && steps.length > 0 ? <FirstSteps steps={steps} /> : null}
        {base === "resale" ? (
          <div className={classes["begin"]}>
            <AllowancePanel />
          </div>
        ) : null}
        {base === "sudo" && info.data?.untrustedProxy ? (
          <Alert color="yellow" variant="light" mb="md" title={words.proxy.title} role="status">
            {words.proxy.text(info.data.untrustedProxy.address)}{" "}
            <Anchor component={Link} href="/settings?q=trusted_proxies" size="sm">
              {words.proxy.open}
            </Anchor>
          </Alert>
        ) : null}
        {base === "sudo" && notListening.length > 0 ? (
          <Alert color="yellow" variant="light" mb="md" title={words.closed.title} role="status">
            {words.closed.text(notListening.map(({ place, fault }) => `${place} (${fault})`).join(", "))}{" "}
            <Anchor component={Link} href="/settings?q=sub_listen" size="sm">
              {words.closed.open}
            </Anchor>
          </Alert>
        ) : null}
        <div className={classes["page"]} data-needs={needs}>
          <div className={classes["tilesArea"]}>
            <Tiles users={summary.data} ending={ending.data?.total} nodes={nodes} info={info.data} shown={chosen} />
          </div>
          {needs ? (
            <div className={classes["needsArea"]}>
              <WhatNeedsPerson />
            </div>
          ) : null}
          <div className={classes["latelyArea"]}>
            <Lately />
          </div>
        </div>
        {seesFigures && steps?.length === 0 ? (
          <Late fallback={<LoadingLines />}>
            <Figures />
          </Late>
        ) : null}
      </Late>
    </>
  );
}

/** With this many users, the first steps are done. */
const BEGUN = 50;

/**
 * The steps of a new panel; none where it is not new, or the caller cannot take them; undefined until that is known, so
 * that nothing moves on the page.
 */
function useFirstSteps(
  nodes: Readonly<Record<NodeStatus, number>> | undefined,
  users: number | undefined,
): readonly Step[] | undefined {
  const can = useCan();
  const may = START_SCOPES.every(can);
  const maybe = may && users !== undefined && users < BEGUN;
  const last = { limit: 1, sort: "id", order: "desc" };
  const templates = useApi<Listing<MadeRecord>>("/templates", last, { enabled: maybe });
  const fetched = useApi<Listing<MadeRecord>>("/users", { sub_fetched: true, ...last }, { enabled: maybe });
  const made = useApi<Listing<MadeRecord>>("/users", last, { enabled: maybe && users > 0 });
  const node = useApi<Listing<MadeRecord>>("/nodes", last, { enabled: maybe });
  if (!may || (users !== undefined && !maybe)) return [];
  if (users === undefined || nodes === undefined || !templates.data || !fetched.data)
    return templates.error || fetched.error ? [] : undefined;
  const steps = firstSteps(
    {
      templates: templates.data.total,
      nodes: NODE_STATUSES.reduce((sum, each) => sum + nodes[each], 0),
      connected: nodes.connected,
      users,
      fetched: fetched.data.total,
    },
    {
      template: templates.data.items[0],
      node: node.data?.items[0],
      user: made.data?.items[0],
      fetched: fetched.data.items[0],
    },
  );
  return nextStep(steps) === undefined ? [] : steps;
}

function WhatNeedsPerson() {
  const words = useWords("overview");
  const nodes = useApi<Listing<Node>>("/nodes", { troubled: true, sort: "trouble_since", limit: MOST_NEEDS });
  const actors = useApi<Listing<Actor>>("/actors", { kind: "node", state: TROUBLED_STATES, limit: 200 });
  const faults = useApi<Listing<Actor>>("/actors", { fault: true, limit: MOST_NEEDS });
  useRefreshed("node", ["/nodes", "/actors"]);
  const needs = needsOf({
    nodes: nodes.data?.items ?? [],
    actors: actors.data?.items ?? [],
    faults: faults.data?.items ?? [],
  });
  const error = nodes.error ?? faults.error;
  const total = Math.max(needs.length, nodes.data?.total ?? 0);
  return (
    <Panel
      title={words.needs}
      actions={
        total > 0 ? (
          <Text size="sm" c="dimmed">
            {words.oldestFirst}
          </Text>
        ) : undefined
      }
    >
      {error ? <Failure error={error} retry={() => void Promise.all([nodes.refetch(), faults.refetch()])} /> : null}
      {nodes.data && faults.data ? <Needs needs={needs} total={total} /> : null}
    </Panel>
  );
}
