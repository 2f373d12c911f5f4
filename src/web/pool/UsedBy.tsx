// What names a record: links to templates and nodes.
import { Link } from "wouter";
import { Name } from "../parts/Names.tsx";
import { Facts } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import type { PoolNode, Template } from "./pool.ts";
import classes from "./pool.module.css";

export interface Users {
  readonly templates: readonly Pick<Template, "id" | "name">[];
  readonly nodes: readonly PoolNode[];
}

/** The templates among `templates` that `carries`, and the nodes that run them. */
export function usersOf(
  carries: (template: Template) => boolean,
  templates: readonly Template[] | undefined,
  nodes: readonly PoolNode[] | undefined,
): Users {
  const carrying = templates?.filter(carries) ?? [];
  const ids = new Set<number | null>(carrying.map(({ id }) => id));
  return { templates: carrying, nodes: nodes?.filter(({ templateId }) => ids.has(templateId)) ?? [] };
}

export function UsedBy({ users, own }: { readonly users: Users; readonly own?: "template" }) {
  const words = useWords("pool").usedBy;
  return (
    <Facts
      items={[
        ...(own === "template"
          ? []
          : [{ label: words.templates, value: <Names of={users.templates} under="/templates" /> }]),
        { label: words.nodes, value: <Names of={users.nodes} under="/nodes" /> },
      ]}
    />
  );
}

function Names({ of, under }: { readonly of: readonly { id: number; name: string }[]; readonly under: string }) {
  const words = useWords("pool").usedBy;
  if (of.length === 0) return <span className={classes["none"]}>{words.none}</span>;
  return (
    <span className={classes["names"]}>
      {of.map(({ id, name }) => (
        <Link key={id} href={`${under}/${id}`}>
          <Name>{name}</Name>
        </Link>
      ))}
    </span>
  );
}
