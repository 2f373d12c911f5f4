// One record of the audit log: who, what and when, the record that it is about, and what was before and after.
import { Anchor, Button, Group } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { Link, useParams } from "wouter";
import { useApi } from "../api/queries.ts";
import { PAGES } from "../pages.ts";
import { Ago, Moment } from "../parts/Ago.tsx";
import { isFields } from "../parts/diff/differences.ts";
import { Diff } from "../parts/diff/Diff.tsx";
import { Code, Dim, Name } from "../parts/Names.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { RecordFrame, RecordPage } from "../parts/RecordPage.tsx";
import { useVerbs, type RecordKind } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { KINDS, type StandingKind } from "../users/user.ts";
import { useWords } from "../words/words.ts";
import { actionText, keyText, nameIn, placeOf, sidesOf, type Change } from "./change.ts";
import { ViaMark } from "./ViaMark.tsx";
import classes from "./audit.module.css";

const CHANGES: RecordKind<Change> = { list: "/changes", name: ({ key, entityId }) => `${key} ${entityId}` };

export default function ChangePage() {
  const { id = "" } = useParams();
  const words = useWords("audit");
  const actions = useWords("actions");
  const subjects = useWords("subjects");
  const verbs = useVerbs(CHANGES, { verbs: () => [] });
  const list = { id: "audit", href: "/audit", title: words.title };
  return (
    <RecordPage
      of={useApi<Change>(`/changes/${id}`)}
      list={list}
      missing={{ title: words.missing, text: words.missingText }}
    >
      {(change) => (
        <RecordFrame
          record={change}
          name={`${keyText(change.key, subjects)}: ${actionText(change.action, actions)}`}
          list={list}
          href={`/audit/${change.id}`}
          verbs={verbs}
          under={<Ago at={change.time} />}
          tabs={[{ id: "change", label: "", content: <Body change={change} /> }]}
        />
      )}
    </RecordPage>
  );
}

function Body({ change }: { readonly change: Change }) {
  const words = useWords("audit");
  const users = useWords("users");
  const off = change.key === "users" ? reasonKind(change.obj) : undefined;
  const { before, after, hidden = [] } = sidesOf(change);
  const empty = Object.keys(change.obj).length === 0;
  return (
    <div className={classes["columns"]}>
      <Panel title={words.happened}>
        <Facts
          items={[
            { label: words.when, value: <Moment at={change.time} style="precise" /> },
            {
              label: words.who,
              value: (
                <span className={classes["who"]}>
                  <ViaMark via={change.via} />
                  {change.actor === "" ? <Dim>{words.via.system}</Dim> : <Name>{change.actor}</Name>}
                </span>
              ),
            },
            { label: words.how, value: words.via[change.via] },
            { label: words.token, value: change.tokenId === 0 ? null : <Code>{String(change.tokenId)}</Code> },
            { label: words.address, value: change.ip === "" ? null : <Code>{change.ip}</Code> },
            { label: words.record, value: <Record change={change} /> },
            { label: users.why, value: off === undefined ? null : users.standing[off] },
          ]}
        />
        {change.entityId === "" ? null : (
          <Group mt="sm">
            <Button
              component={Link}
              href={`/audit?key=${encodeURIComponent(change.key)}&entityId=${encodeURIComponent(change.entityId)}`}
              size="xs"
              variant="default"
              leftSection={<IconFilter size={14} aria-hidden />}
            >
              {words.allOfRecord}
            </Button>
          </Group>
        )}
      </Panel>
      <Panel title={words.changes}>
        {empty ? (
          <p className={classes["nothing"]}>{words.noDetail}</p>
        ) : (
          <Diff
            {...(before === undefined ? {} : { before })}
            {...(after === undefined ? {} : { after })}
            hidden={hidden}
          />
        )}
      </Panel>
    </div>
  );
}

/** The record by name, with a link where it has a page that this person may open. */
function Record({ change }: { readonly change: Change }) {
  const subjects = useWords("subjects");
  const can = useCan();
  const { key, entityId, action } = change;
  const name = nameIn(change);
  const label = name ?? entityId;
  const page = PAGES.find(({ path }) => path === placeOf(key));
  const leads = page !== undefined && action !== "delete" && /^\d+$/.test(entityId) && can(page.scope ?? "");
  if (label === "") return <>{keyText(key, subjects)}</>;
  if (key === "settings") {
    return (
      <Anchor component={Link} href={`/settings?q=${encodeURIComponent(entityId)}`}>
        <Code>{entityId}</Code>
      </Anchor>
    );
  }
  const shown = name === undefined ? <Code>{entityId}</Code> : <Name>{name}</Name>;
  return leads ? (
    <Anchor component={Link} href={placeOf(key).replace(":id", entityId)}>
      {shown}
    </Anchor>
  ) : (
    shown
  );
}

/** What keeps the account off after the change: its own limit and its reseller's are two things. */
function reasonKind(obj: Change["obj"]): StandingKind | undefined {
  const reason = isFields(obj) ? obj["disabledReason"] : undefined;
  const now: unknown = Array.isArray(reason) ? reason[1] : reason;
  return typeof now === "string" ? KINDS[now] : undefined;
}
