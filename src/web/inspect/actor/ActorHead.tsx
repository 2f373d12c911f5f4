// The head of the actor's page: what it is, its state, which step and chart, and whether this is now or then.
import { Button } from "@mantine/core";
import { IconArrowUpRight } from "@tabler/icons-react";
import { Link } from "wouter";
import { useLink } from "../../api/live.ts";
import { useFormat } from "../../format/use-format.ts";
import { StateBadge, ToneBadge } from "../../parts/StateBadge.tsx";
import { useWords } from "../../words/words.ts";
import classes from "./actor.module.css";
import { listPath, recordPath } from "../addresses.ts";
import { useKindName } from "../kinds.ts";
import type { Moment } from "./moment.ts";
import type { Chart } from "../use-machines.ts";
import { DELETED, type ActorDetail } from "../wire.ts";

interface HeadProps {
  readonly kind: string;
  readonly id: string;
  readonly actor: ActorDetail | undefined;
  readonly gone: boolean;
  readonly chart: Chart | undefined;
  readonly moment: Moment | undefined;
  readonly past: boolean;
}

export function ActorHead({ kind, id, actor, gone, chart, moment, past }: HeadProps) {
  const words = useWords("inspect");
  const format = useFormat();
  const kindName = useKindName();
  const link = useLink();
  const record = gone ? undefined : recordPath(kind, id);
  return (
    <header className={classes["head"]}>
      <div className={classes["names"]}>
        <Link href={listPath(kind)} className={classes["back"] ?? ""}>
          {kindName(kind)}
        </Link>
        <span aria-hidden className={classes["slash"]}>
          /
        </span>
        <h1 tabIndex={-1}>
          <bdi>{actor?.name ?? id}</bdi>
        </h1>
        {moment &&
          (moment.state === DELETED ? (
            <ToneBadge tone="off">{words.events.deleted}</ToneBadge>
          ) : (
            <StateBadge kind={kind} state={moment.state} />
          ))}
        {!past && actor?.fault && <ToneBadge tone="failed">{words.list.faultOnly}</ToneBadge>}
        <span className={classes["facts"]}>
          <bdi dir="ltr">
            {kind} {id}
          </bdi>
          {moment && <span>{words.actor.rev(format.number(moment.seq))}</span>}
          {chart && <span>{words.chartVersion(format.number(actor?.version ?? chart.machine.version))}</span>}
        </span>
      </div>
      <div className={classes["headEnd"]}>
        {!past && (
          <span className={classes["live"]} data-on={link.status === "live" || undefined}>
            {words.actor.live}
          </span>
        )}
        {past && (
          <span className={classes["live"]} data-past>
            {gone ? words.actor.gone : words.actor.past}
          </span>
        )}
        {record !== undefined && (
          <Button
            component={Link}
            href={record}
            size="compact-sm"
            variant="default"
            rightSection={<IconArrowUpRight size={14} aria-hidden />}
          >
            {words.actor.record}
          </Button>
        )}
      </div>
    </header>
  );
}
