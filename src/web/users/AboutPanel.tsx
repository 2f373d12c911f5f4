// The panel about an account: whose it is, and what is noted about it.
import { Ago, Moment } from "../parts/Ago.tsx";
import { Code, Dim, Name } from "../parts/Names.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { inboundsOf } from "../plans/limit-fields.ts";
import type { User } from "./user.ts";
import classes from "./users.module.css";
import { useTemplates } from "../plans/use-templates.ts";

export function AboutPanel({ user }: { readonly user: User }) {
  const words = useWords("users");
  const { all, nameOf } = useTemplates();
  const inboundNames = new Map(inboundsOf(all ?? []).map(({ id, name }) => [id, name]));
  const text = (value: string) => (value === "" ? undefined : <Name>{value}</Name>);
  return (
    <Panel title={words.about}>
      <Facts
        items={[
          { label: words.columns.onlineAt, value: <Ago at={user.onlineAt} /> },
          {
            label: words.columns.inbound,
            value: user.lastInbound === "" ? undefined : <Code>{user.lastInbound}</Code>,
          },
          { label: words.columns.group, value: text(user.group) },
          {
            label: words.columns.templates,
            value: user.allTemplates ? (
              <Dim>{words.allTemplates}</Dim>
            ) : all ? (
              text(user.templateIds.map(nameOf).join(", "))
            ) : undefined,
          },
          {
            label: words.fields.inboundIds,
            value:
              user.inboundIds === null || !all ? undefined : user.inboundIds.length === 0 ? (
                <Dim>{words.noInbounds}</Dim>
              ) : (
                text(user.inboundIds.map((id) => inboundNames.get(id) ?? `#${id}`).join(", "))
              ),
          },
          ...Object.entries(user.contact).map(([key, value]) => ({
            label: contactLabel(key, words.fields),
            value: <Code copy>{value}</Code>,
          })),
          {
            label: words.columns.note,
            value: user.desc === "" ? undefined : <span className={classes["lines"]}>{user.desc}</span>,
          },
          {
            label: words.fields.externalId,
            value: user.externalId === "" ? undefined : <Code copy>{user.externalId}</Code>,
          },
          { label: words.fields.remark, value: text(user.remark) },
          {
            label: words.columns.address,
            value: user.subFetchIp === "" ? undefined : <Code copy>{user.subFetchIp}</Code>,
          },
          { label: words.created, value: <Moment at={user.createdAt} /> },
          { label: words.changed, value: <Ago at={user.updatedAt} /> },
        ]}
      />
    </Panel>
  );
}

function contactLabel(
  key: string,
  { telegram, email, phone }: { telegram: string; email: string; phone: string },
): string {
  const known: Readonly<Record<string, string>> = { telegram_id: telegram, email, phone };
  return known[key] ?? key;
}
