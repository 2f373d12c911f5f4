// The list of nodes: which actors and templates belong to a page of it, and its columns.
import { useMemo } from "react";
import type { QueryValue } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { Ago, Since } from "../parts/Ago.tsx";
import { Code, Dim, Name } from "../parts/Names.tsx";
import { Bytes, QuotaBar } from "../parts/Quantities.tsx";
import { Toggle } from "../parts/controls/Toggle.tsx";
import type { Column } from "../parts/table/columns.ts";
import { isoOf } from "../parts/table/export.ts";
import type { ListQuery } from "../parts/table/list-query.ts";
import type { Verbs } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { RowTraffic } from "../traffic/RowTraffic.tsx";
import { useCause } from "../words/use-cause.ts";
import { useNotice } from "../words/use-notice.ts";
import { useWords } from "../words/words.ts";
import { statesOf, NODE_STATUSES, type Node } from "./node.ts";
import classes from "./nodes.module.css";
import { standingOf, type Actor, type Standing } from "./node-standing.ts";
import { NextStep, StandingBadge } from "./NodeStanding.tsx";
import type { Template } from "./use-templates.ts";

/** What a row shows that the record alone does not say. */
export interface Beside {
  readonly standing: (node: Node) => Standing;
  /** Empty: none. */
  readonly template: (node: Node) => string;
}

export function useBeside(actors: readonly Actor[] | undefined, templates: readonly Template[] | undefined): Beside {
  return useMemo(() => {
    const byId = new Map(actors?.map((actor) => [actor.id, actor]));
    const names = new Map(templates?.map(({ id, name }) => [id, name]));
    return {
      standing: (node) => standingOf(node, byId.get(String(node.id))),
      template: ({ templateId }) => (templateId === null ? "" : (names.get(templateId) ?? `#${templateId}`)),
    };
  }, [actors, templates]);
}

/** Orders that `/actors` knows too. */
const SHARED_SORTS: ReadonlySet<string> = new Set(["", "id", "name"]);

/**
 * The page of `/actors` that holds the actors of a page of `/nodes`: one question for all rows. Where the two lists
 * cannot be paged alike, the first thousand.
 */
export function actorsQuery({ api, q, sort, filters }: ListQuery): Readonly<Record<string, QueryValue>> {
  const status = NODE_STATUSES.find((each) => each === filters["status"]);
  const picked = { kind: "node", state: status && statesOf(status) };
  // A search of nodes looks into addresses and remarks too.
  if (q !== "" || !SHARED_SORTS.has(sort)) return { ...picked, limit: 1000 };
  return { ...picked, limit: api["limit"], offset: api["offset"], sort: api["sort"], order: api["order"] };
}

export function useNodeColumns(beside: Beside, verbs: Verbs<Node>): readonly Column<Node>[] {
  const words = useWords("nodes");
  const parts = useWords("parts");
  const format = useFormat();
  const can = useCan();
  const writes = can("nodes:write");
  return useMemo(
    () => [
      {
        id: "name",
        text: (node) => node.name,
        header: words.columns.name,
        sort: "name",
        card: "title",
        width: 170,
        cell: (node) => (
          <span className={classes["lines"]}>
            <span className={classes["rowName"]}>
              <Name>{node.name}</Name>
            </span>
            <span className={classes["second"]}>
              {node.isLocal ? words.local : <Code cut>{`${node.address}:${node.port}`}</Code>}
            </span>
          </span>
        ),
      },
      {
        id: "state",
        text: (node) => node.status,
        header: words.columns.state,
        cell: (node) => <StateCell node={node} standing={beside.standing(node)} />,
      },
      {
        id: "online",
        header: words.columns.online,
        align: "end",
        width: 72,
        cell: (node) => <span>{node.online === undefined ? "–" : format.number(node.online)}</span>,
      },
      {
        id: "rate",
        header: words.columns.traffic,
        align: "end",
        width: 108,
        above: 1100,
        cell: ({ live }) => <bdi dir="ltr">{live ? format.rate((live.upRate ?? 0) + (live.downRate ?? 0)) : "–"}</bdi>,
      },
      {
        id: "lastDay",
        header: parts.lastDay.header,
        width: 108,
        above: 1350,
        card: "none",
        cell: ({ id }) => <RowTraffic path="/nodes/sparklines" id={id} />,
      },
      {
        id: "usage",
        text: (node) => node.up + node.down,
        header: words.columns.usage,
        width: 132,
        cell: (node) =>
          node.limitBytes > 0 ? (
            <QuotaBar used={node.periodUsed} limit={node.limitBytes} compact />
          ) : (
            <Bytes value={node.up + node.down} />
          ),
      },
      {
        id: "template",
        header: words.columns.template,
        width: 120,
        above: 900,
        cell: (node) => {
          const template = beside.template(node);
          return template === "" ? <Dim>{words.noTemplate}</Dim> : <Name>{template}</Name>;
        },
      },
      {
        id: "versions",
        header: words.columns.versions,
        optional: true,
        card: "none",
        cell: (node) => <Code>{[node.coreVersion, node.nodeVersion].filter((part) => part !== "").join(" / ")}</Code>,
      },
      {
        id: "seen",
        text: (node) => isoOf(node.heardAt),
        header: words.columns.seen,
        width: 112,
        above: 1250,
        cell: (node) => <Ago at={node.heardAt} none={words.never} style="short" />,
      },
      {
        id: "enabled",
        text: (node) => node.enabled,
        header: words.columns.enabled,
        width: 64,
        card: "corner",
        cell: (node) => (
          <Toggle
            aria-label={`${words.columns.enabled}: ${node.name}`}
            checked={node.enabled}
            disabled={!writes || verbs.busy(node)}
            onClick={(event) => event.stopPropagation()}
            onChange={() => verbs.run(node, "switch")}
          />
        ),
      },
    ],
    [words, parts, format, writes, beside, verbs],
  );
}

/** "out of reach for 3 min · next try in 12 s", and below it why. */
function StateCell({ node, standing }: { readonly node: Node; readonly standing: Standing }) {
  const words = useWords("nodes");
  const format = useFormat();
  const causeText = useCause();
  const noticeText = useNotice();
  const why =
    standing.case === "warned"
      ? node.notices.map(noticeText).join("; ")
      : standing.status === "error"
        ? standing.message
        : "";
  return (
    <span className={classes["lines"]}>
      <span className={classes["stateLine"]}>
        <StandingBadge standing={standing} />
        <span className={classes["second"]}>
          <Since at={standing.since} parts={1} />
          {standing.case === "warned"
            ? ` · ${words.warnings(node.warnings.length, format.number(node.warnings.length))}`
            : null}
          {standing.status === "connected" ? null : (
            <>
              {" · "}
              <NextStep standing={standing} />
            </>
          )}
        </span>
      </span>
      {why === "" ? null : (
        <bdi className={classes["reason"]} title={why} data-whole={standing.case === "refused"}>
          {standing.status === "error" ? causeText(standing.cause, why) : why}
        </bdi>
      )}
    </span>
  );
}
