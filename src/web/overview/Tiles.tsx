// The fleet at a glance: each figure leads to the list of what it counts.
import { SimpleGrid } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import { NODE_STATUSES, type NodeStatus } from "../nodes/node.ts";
import { ToneMark } from "../parts/ToneMark.tsx";
import type { Tone } from "../parts/tone.ts";
import { useWords } from "../words/words.ts";
import type { PanelInfo, UserSummary } from "./info.ts";
import classes from "./overview.module.css";

const NODE_TONES: Readonly<Record<NodeStatus, Tone>> = { connected: "ok", connecting: "running", error: "failed", disabled: "off" };
const USER_STATUSES = ["active", "pending", "limited", "expired", "disabled"] as const;
const USER_TONES: Readonly<Record<(typeof USER_STATUSES)[number], Tone>> = {
  active: "ok",
  pending: "waiting",
  limited: "failed",
  expired: "failed",
  disabled: "off",
};

const DATABASES: Readonly<Record<string, string>> = { sqlite: "SQLite", postgresql: "PostgreSQL" };

export interface TilesProps {
  readonly users: UserSummary | undefined;
  readonly nodes: Readonly<Record<NodeStatus, number>> | undefined;
  readonly info: PanelInfo | undefined;
  readonly shown: { readonly users: boolean; readonly nodes: boolean; readonly info: boolean };
}

export function Tiles({ users, nodes, info, shown }: TilesProps) {
  const words = useWords("overview");
  const { status } = useWords("nodes");
  const format = useFormat();
  const allNodes = nodes && NODE_STATUSES.reduce((sum, each) => sum + nodes[each], 0);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      {shown.users ? (
        <>
          <Tile
            label={words.users}
            href="/users"
            value={users && format.number(users.total)}
            parts={USER_STATUSES.map((each) => ({
              id: each,
              label: words.userStatus[each],
              tone: USER_TONES[each],
              count: users?.[each] ?? 0,
              href: `/users?status=${each}`,
            }))}
          />
          <Tile
            label={words.online}
            href="/users?online=true"
            value={users && format.number(users.online)}
            under={users && users.total > 0 ? words.ofUsers(format.percent(users.online / users.total)) : undefined}
          />
        </>
      ) : null}
      {shown.nodes ? (
        <Tile
          label={words.nodes}
          href="/nodes"
          value={nodes && words.connectedOf(format.number(nodes.connected), format.number(allNodes ?? 0))}
          parts={NODE_STATUSES.map((each) => ({
            id: each,
            label: status[each],
            tone: NODE_TONES[each],
            count: nodes?.[each] ?? 0,
            href: `/nodes?status=${each}`,
          }))}
        />
      ) : null}
      {shown.info ? (
        <Tile
          label={words.panel}
          value={info && format.duration(info.uptime, { parts: 1 })}
          valueLabel={words.uptime}
          under={
            info ? (
              <>
                <bdi dir="ltr">
                  Signalbox {info.version}
                  {info.commit === "" ? "" : ` (${info.commit.slice(0, 7)})`}
                </bdi>
                <br />
                <bdi dir="ltr">
                  {DATABASES[info.database.kind] ?? info.database.kind} {info.database.version} · {format.bytes(info.database.size)}
                </bdi>
                <br />
                {words.memory(format.bytes(info.memory.rss))}
              </>
            ) : undefined
          }
        />
      ) : null}
    </SimpleGrid>
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
