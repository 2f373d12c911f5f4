// What uses a record: links to templates, nodes and others, and how many accounts that is. What the person may not read
// is not there.
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import { Name } from "../parts/Names.tsx";
import { Facts } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import type { Used } from "./records.ts";
import classes from "./fragments.module.css";

type Users = Used["usedBy"];
type Named = NonNullable<Users["nodes"]>;

export function UsedBy({ users, own }: { readonly users: Users; readonly own?: "template" }) {
  const words = useWords("pool").usedBy;
  const format = useFormat();
  const { templates, nodes, inbounds, outbounds } = users;
  return (
    <Facts
      items={[
        ...(own === "template" || templates === null
          ? []
          : [{ label: words.templates, value: <Names of={templates} under="/templates" /> }]),
        ...(nodes === null ? [] : [{ label: words.nodes, value: <Names of={nodes} under="/nodes" /> }]),
        ...(inbounds === null || inbounds.length === 0
          ? []
          : [{ label: words.inbounds, value: <Names of={inbounds} under="/inbounds" /> }]),
        ...(outbounds === null || outbounds.length === 0
          ? []
          : [{ label: words.outbounds, value: <Names of={outbounds} under="/outbounds" /> }]),
        ...(users.users === null ? [] : [{ label: words.users, value: format.number(users.users) }]),
      ]}
    />
  );
}

/** So many are named; of the rest there is a number. */
const SHOWN = 20;

function Names({ of, under }: { readonly of: Named; readonly under: string }) {
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
