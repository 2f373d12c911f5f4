// One front: its form, what clients get of it, and what uses it.
import { useParams } from "wouter";
import { call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { Code } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { RecordFrame, RecordPage, type RecordList } from "../parts/RecordPage.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import type { Used } from "../fragments/records.ts";
import classes from "../fragments/fragments.module.css";
import { UsedBy } from "../fragments/UsedBy.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { FRONTS, valuesOf, type Front, type FrontBody } from "./front.ts";
import { FrontForm, Gives } from "./FrontForm.tsx";
import { useFrontVerbs } from "./use-front-verbs.tsx";

export default function FrontPage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("fronts");
  const front = useApi<Front & Used>(`/fronts/${id}`);
  const list = { id: "fronts", href: "/fronts", title: words.title };
  return (
    <RecordPage of={front} list={list} missing={{ title: words.gone }}>
      {(shown) => <FrontRecord key={shown.id} front={shown} list={list} />}
    </RecordPage>
  );
}

function FrontRecord({ front, list }: { readonly front: Front & Used; readonly list: RecordList }) {
  const words = useWords("fronts");
  const { usedBy } = useWords("pool");
  const settle = useSettle(FRONTS);
  const writes = useCan()("pool:write");
  const form = useRecordForm<FrontBody, Front>({
    draft: `fronts/${front.id}`,
    initial: valuesOf(front),
    version: { read: front.updatedAt, valuesOf },
    save: (changed) => call("PUT", `/fronts/${front.id}`, { body: changed }),
    onDone: (saved) => settle(front, { record: { ...front, ...saved }, said: words.saved(saved.name) }),
  });
  const content = (
    <div className={classes["columns"]}>
      <fieldset className={classes["fields"]} disabled={!writes} aria-label={front.name}>
        <FrontForm form={form} />
      </fieldset>
      <div className={classes["side"]}>
        <Gives form={form} />
        <Panel title={usedBy.title}>
          <UsedBy users={front.usedBy} />
        </Panel>
      </div>
    </div>
  );
  return (
    <RecordFrame
      record={front}
      name={front.name}
      list={list}
      href={`/fronts/${front.id}`}
      verbs={useFrontVerbs(list.href)}
      beside={
        <ToneBadge tone={front.enabled ? "ok" : "off"}>{front.enabled ? words.states.on : words.states.off}</ToneBadge>
      }
      under={<Code>{front.domain}</Code>}
      tabs={[{ id: "record", label: words.groups.front, content }]}
    />
  );
}
