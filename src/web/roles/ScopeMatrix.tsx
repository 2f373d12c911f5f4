// Permissions as a table: areas in rows; what cannot be granted says why.
import { Checkbox, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { useApi } from "../api/queries.ts";
import { Answer } from "../parts/Answer.tsx";
import { useMe, type Tier } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { useRoles } from "./role.ts";
import classes from "./roles.module.css";
import { holds, scopeAreas, withScope, type ScopeArea } from "./scopes.ts";

interface ScopeMatrixProps {
  readonly granted: readonly string[];
  /** Absent: it is only read. */
  readonly onChange?: (granted: readonly string[]) => void;
  /** The tier that bounds it; absent: the reader's own role does. */
  readonly tier?: Tier;
}

export function ScopeMatrix(props: ScopeMatrixProps) {
  const catalogue = useApi<{ readonly scopes: readonly string[] }>("/scopes");
  return <Answer of={catalogue}>{({ scopes }) => <Matrix {...props} areas={scopeAreas(scopes)} />}</Answer>;
}

function Matrix({ granted, onChange, tier, areas }: ScopeMatrixProps & { readonly areas: readonly ScopeArea[] }) {
  const { scopes: words } = useWords("access");
  const names = useWords("scopeAreas");
  const whyNot = useWhyNot(tier);
  const box = (area: ScopeArea, scope: string | undefined, named: boolean): ReactNode => {
    if (scope === undefined) return <span className={classes["absent"]}>–</span>;
    const included = scope === area.read && area.write !== undefined && granted.includes(area.write);
    const why = onChange === undefined ? undefined : included ? words.included : whyNot(scope);
    const on = holds(granted, scope);
    const verb = verbOf(scope, words.verbs);
    // One that is held and must not be stays removable.
    const fixed = why !== undefined && (included || !on);
    const checkbox = (
      <Checkbox
        size="sm"
        checked={on}
        disabled={onChange === undefined}
        // Reached by keyboard all the same: it says why.
        {...(fixed ? { "aria-disabled": true, classNames: { input: classes["fixed"] ?? "" } } : {})}
        aria-label={words.grant(areaOf(area.area, names), verb)}
        {...(why === undefined ? {} : { title: why })}
        {...(named ? { label: verb } : {})}
        onChange={({ currentTarget }) => {
          if (!fixed) onChange?.(withScope(granted, scope, currentTarget.checked));
        }}
      />
    );
    if (why === undefined)
      return (
        <span key={scope} className={classes["box"]}>
          {checkbox}
        </span>
      );
    return (
      <Tooltip key={scope} label={why} events={{ hover: true, focus: true, touch: true }}>
        <span className={classes["box"]}>{checkbox}</span>
      </Tooltip>
    );
  };
  return (
    <table className={classes["matrix"]}>
      <thead>
        <tr>
          <th scope="col">{words.area}</th>
          <th scope="col">{words.verbs.read}</th>
          <th scope="col">{words.verbs.write}</th>
          <th scope="col">{words.more}</th>
        </tr>
      </thead>
      <tbody>
        {areas.map((area) => (
          <tr key={area.area}>
            <th scope="row">{areaOf(area.area, names)}</th>
            <td>{box(area, area.read, false)}</td>
            <td>{box(area, area.write, false)}</td>
            <td>{area.more.map((scope) => box(area, scope, true))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Why the reader cannot grant a scope; the panel refuses it for the same reasons. */
function useWhyNot(tier: Tier | undefined): (scope: string) => string | undefined {
  const { scopes: words, tiers } = useWords("access");
  const { scopes: own } = useMe();
  const roles = useRoles();
  // The built-in role of a tier has all that the tier reaches.
  const reach =
    tier === undefined || tier === "sudo" ? undefined : roles.find(({ builtin, base }) => builtin && base === tier);
  return (scope) => {
    if (!own.includes(scope)) return words.lacked;
    return tier !== undefined && reach && !holds(reach.scopes, scope) ? words.outside(tiers[tier]) : undefined;
  };
}

/** The name of an area. An area that the page does not know keeps its name on the wire. */
function areaOf(area: string, areas: Readonly<Record<string, string>>): string {
  return areas[area] ?? area;
}

function verbOf(scope: string, verbs: Readonly<Record<string, string>>): string {
  const [, verb = ""] = scope.split(":");
  return verbs[verb] ?? verb;
}
