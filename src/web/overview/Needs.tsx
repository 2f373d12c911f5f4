// The list of what needs a person: the oldest on top, each with why, what comes next, and the way to it.
import { Group, Text } from "@mantine/core";
import { IconChecks } from "@tabler/icons-react";
import { Link } from "wouter";
import { NextStep, StandingBadge } from "../nodes/NodeStanding.tsx";
import { Since } from "../parts/Ago.tsx";
import { Name } from "../parts/Names.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useCause } from "../words/use-cause.ts";
import { useWords } from "../words/words.ts";
import type { Need } from "./needs.ts";
import classes from "./overview.module.css";

export interface NeedsProps {
  readonly needs: readonly Need[];
  /** How many there are in all; more than are shown lead to the lists. */
  readonly total: number;
}

/** As many as fit a screen; the rest is in the lists. */
export const MOST_NEEDS = 12;

export function Needs({ needs, total }: NeedsProps) {
  const words = useWords("overview");
  if (needs.length === 0) {
    return (
      <Group gap="sm" className={classes["calm"]}>
        <IconChecks size={20} color="var(--tone-ok)" aria-hidden />
        <Text size="sm">{words.nothingWaits}</Text>
      </Group>
    );
  }
  return (
    <>
      <ul className={classes["needs"]}>
        {needs.slice(0, MOST_NEEDS).map((need) => (
          <li key={need.key}>{need.kind === "node" ? <NodeNeed need={need} /> : <FaultNeed need={need} />}</li>
        ))}
      </ul>
      {total > Math.min(needs.length, MOST_NEEDS) ? (
        <Text size="sm" mt="sm">
          <Link href="/nodes?status=error">{words.allInError}</Link>
        </Text>
      ) : null}
    </>
  );
}

function NodeNeed({ need: { node, standing } }: { readonly need: Extract<Need, { kind: "node" }> }) {
  const causeText = useCause();
  return (
    <Link href={`/nodes/${node.id}`} className={classes["need"] ?? ""}>
      <span className={classes["needName"]}>
        <Name>{node.name}</Name>
      </span>
      <span className={classes["needState"]}>
        <StandingBadge standing={standing} />
        <Since at={standing.since} />
      </span>
      <span className={classes["needWhy"]}>
        <bdi title={standing.message}>{causeText(standing.cause, standing.message)}</bdi>
      </span>
      <span className={classes["needNext"]}>
        <NextStep standing={standing} />
      </span>
    </Link>
  );
}

function FaultNeed({ need: { actor } }: { readonly need: Extract<Need, { kind: "fault" }> }) {
  const words = useWords("overview");
  return (
    <Link href={`/inspect/${actor.kind}/${actor.id}`} className={classes["need"] ?? ""}>
      <span className={classes["needName"]}>
        <Name>{actor.name}</Name>
      </span>
      <span className={classes["needState"]}>
        <ToneBadge tone="failed">{words.quarantine}</ToneBadge>
        <Since at={actor.since} />
      </span>
      <span className={classes["needWhy"]}>{words.quarantineWhy}</span>
      <span className={classes["needNext"]}>{words.quarantineNext}</span>
    </Link>
  );
}
