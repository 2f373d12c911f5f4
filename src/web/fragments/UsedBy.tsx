// What uses a record: links to templates, nodes and others, and how many accounts that is. What the person may not read
// is not there.
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import { Name } from "../parts/Names.tsx";
import { Facts } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import type { Used, UsingCollection } from "./kind.ts";
import classes from "./fragments.module.css";

type Users = Used["usedBy"];
type Named = NonNullable<Users["nodes"]>[number];

interface UsedByProps {
  readonly kind: { readonly usedIn: readonly UsingCollection[] };
  readonly users: Users;
}

export function UsedBy({ kind: { usedIn }, users }: UsedByProps) {
  const words = useWords("pool").usedBy;
  const format = useFormat();
  const { users: accounts, ...records } = users;
  const lists: readonly (readonly [string, readonly Named[] | null])[] = Object.entries(records);
  const labels: Readonly<Record<string, unknown>> = words;
  const shown = lists.flatMap(([collection, of]) => {
    const label = labels[collection];
    // A panel of another version may name records that this page has no words for.
    if (of === null || typeof label !== "string") return [];
    if (of.length === 0 && !usedIn.some((each) => each === collection)) return [];
    return [{ label, value: <Names of={of} under={`/${collection}`} /> }];
  });
  return (
    <Facts items={[...shown, ...(accounts === null ? [] : [{ label: words.users, value: format.number(accounts) }])]} />
  );
}

/** So many are named; of the rest there is a number. */
const SHOWN = 20;

function Names({ of, under }: { readonly of: readonly Named[]; readonly under: string }) {
  const words = useWords("pool").usedBy;
  const format = useFormat();
  if (of.length === 0) return <span className={classes["none"]}>{words.none}</span>;
  const rest = of.length - SHOWN;
  return (
    <span className={classes["names"]}>
      {of.slice(0, SHOWN).map(({ id, name }) => (
        <Link key={id} href={`${under}/${id}`}>
          <Name>{name}</Name>
        </Link>
      ))}
      {rest > 0 ? <span className={classes["none"]}>{words.more(format.number(rest))}</span> : null}
    </span>
  );
}
