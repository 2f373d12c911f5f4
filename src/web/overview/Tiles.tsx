// The fleet at a glance: each figure leads to the list of what it counts.
import { SimpleGrid } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import { NODE_STATUSES, type NodeStatus } from "../nodes/node.ts";
import { ToneMark } from "../parts/ToneMark.tsx";
import type { Tone } from "../parts/tone.ts";
import { statusCounts, STATUSES, type Status, type Summary } from "../users/user.ts";
import { useWords } from "../words/words.ts";
import type { PanelInfo } from "./info.ts";
import classes from "./overview.module.css";
import type { TileId } from "./tiles.ts";

const NODE_TONES: Readonly<Record<NodeStatus, Tone>> = {
  connected: "ok",
  connecting: "running",
  error: "failed",
  disabled: "off",
};
const USER_TONES: Readonly<Record<Status, Tone>> = {
  active: "ok",
  pending: "waiting",
  limited: "waiting",
  expired: "failed",
  disabled: "off",
  reseller: "waiting",
};

const DATABASES: Readonly<Record<string, string>> = { sqlite: "SQLite", postgresql: "PostgreSQL" };

export interface TilesProps {
  readonly users: Summary | undefined;
  /** Users whose account ends within a week. */
  readonly ending: number | undefined;
  readonly nodes: Readonly<Record<NodeStatus, number>> | undefined;
  readonly info: PanelInfo | undefined;
  /** Which, in this order. */
  readonly shown: readonly TileId[];
}

export function Tiles({ shown, ...figures }: TilesProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: Math.min(4, Math.max(3, shown.length)) }} spacing="md">
      {shown.map((id) => (
        <OneTile key={id} id={id} {...figures} />
      ))}
    </SimpleGrid>
  );
}

function OneTile({ id, users, ending, nodes, info }: Omit<TilesProps, "shown"> & { readonly id: TileId }) {
  const words = useWords("overview");
  const { nodeStatus: status } = useWords("overview");
  const format = useFormat();
  const label = words.tiles[id];
  const counts = users && statusCounts(users);
  const ofUsers = (count: number) =>
    users && users.total > 0 ? words.ofUsers(format.percent(count / users.total)) : undefined;
  switch (id) {
    case "users":
      return (
        <Tile
          label={label}
          href="/users"
          value={users && format.number(users.total)}
          parts={STATUSES.map((each) => ({
            id: each,
            label: words.userStatus[each],
            tone: USER_TONES[each],
            count: counts?.[each] ?? 0,
            href: `/users?status=${each}`,
          }))}
        />
      );
    case "online":
      return (
        <Tile
          label={label}
          href="/users?online=true"
          value={users && format.number(users.online)}
          under={users && ofUsers(users.online)}
        />
      );
    case "ending":
      return (
        <Tile
          label={label}
          href="/users?ends=week&sort=expiry&order=asc"
          value={ending === undefined ? undefined : format.number(ending)}
          under={ending === undefined ? undefined : ofUsers(ending)}
        />
      );
    case "spent":
      return (
        <Tile
          label={label}
          href="/users?status=limited"
          value={counts && format.number(counts.limited)}
          under={counts && ofUsers(counts.limited)}
        />
      );
    case "nodes":
      return (
        <Tile
          label={label}
          href="/nodes"
          value={
            nodes &&
            words.connectedOf(
              format.number(nodes.connected),
              format.number(NODE_STATUSES.reduce((sum, each) => sum + nodes[each], 0)),
            )
          }
          parts={NODE_STATUSES.map((each) => ({
            id: each,
            label: status[each],
            tone: NODE_TONES[each],
            count: nodes?.[each] ?? 0,
            href: `/nodes?status=${each}`,
          }))}
        />
      );
    case "panel":
      return (
        <Tile
          label={label}
          value={info && format.duration(info.uptime, { parts: 1 })}
          valueLabel={words.uptime}
          under={info ? <PanelFacts info={info} /> : undefined}
        />
      );
  }
}

function PanelFacts({ info }: { readonly info: PanelInfo }) {
  const words = useWords("overview");
  const format = useFormat();
  return (
    <>
      <bdi dir="ltr">
        Signalbox {info.version}
        {info.commit === "" ? "" : ` (${info.commit.slice(0, 7)})`}
      </bdi>
      <br />
      <bdi dir="ltr">
        {DATABASES[info.database.kind] ?? info.database.kind} {info.database.version} ·{" "}
        {format.bytes(info.database.size)}
      </bdi>
      <br />
      {words.memory(format.bytes(info.memory.rss))}
    </>
  );
}

interface Part {
  readonly id: string;
  readonly label: string;
  readonly tone: Tone;
  readonly count: number;
  readonly href: string;
}

interface TileProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly valueLabel?: string;
  readonly href?: string;
  readonly under?: ReactNode;
  readonly parts?: readonly Part[];
}

function Tile({ label, value, valueLabel, href, under, parts }: TileProps) {
  const format = useFormat();
  const total = parts?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const head = (
    <>
      <span className={classes["tileLabel"]}>{label}</span>
      <span className={classes["tileValue"]}>
        {value ?? "–"}
        {valueLabel === undefined ? null : <span className={classes["tileUnit"]}>{valueLabel}</span>}
      </span>
    </>
  );
  return (
    <section className={classes["tile"]}>
      {href === undefined ? (
        <div className={classes["tileHead"]}>{head}</div>
      ) : (
        <Link href={href} className={classes["tileHead"] ?? ""}>
          {head}
        </Link>
      )}
      {parts && total > 0 ? (
        <>
          <div className={classes["bar"]} aria-hidden>
            {parts
              .filter(({ count }) => count > 0)
              .map(({ id, tone, count }) => (
                <span key={id} style={{ flexGrow: count, background: `var(--tone-${tone})` }} />
              ))}
          </div>
          <ul className={classes["parts"]}>
            {parts
              .filter(({ count }) => count > 0)
              .map(({ id, label: name, tone, count, href: to }) => (
                <li key={id}>
                  <Link href={to} className={classes["part"] ?? ""}>
                    <ToneMark tone={tone} size={10} />
                    <span>{name}</span>
                    <span>{format.number(count)}</span>
                  </Link>
                </li>
              ))}
          </ul>
        </>
      ) : null}
      {under === undefined ? null : <div className={classes["tileUnder"]}>{under}</div>}
    </section>
  );
}
