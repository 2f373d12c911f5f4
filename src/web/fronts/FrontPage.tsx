// One front: its form, what clients get of it, and what uses it.
import { call } from "../api/call.ts";
import { useSaved } from "../fragments/use-written.ts";
import { Columns, FragmentPage } from "../fragments/FragmentPage.tsx";
import classes from "../fragments/fragments.module.css";
import type { Used } from "../fragments/kind.ts";
import { UsedBy } from "../fragments/UsedBy.tsx";
import { useRecordForm } from "../parts/form/record-form.ts";
import { Code } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";
import { FRONTS, valuesOf, type Front, type FrontBody } from "./front.ts";
import { FrontForm, Gives } from "./FrontForm.tsx";
import { useFrontVerbs } from "./use-front-verbs.tsx";

export default function FrontPage() {
  const { groups, states } = useWords("fronts");
  return (
    <FragmentPage
      kind={FRONTS}
      useKindVerbs={useFrontVerbs}
      tab={groups.front}
      beside={({ enabled }) => <ToneBadge tone={enabled ? "ok" : "off"}>{enabled ? states.on : states.off}</ToneBadge>}
      under={({ domain }) => <Code>{domain}</Code>}
      content={(front) => <Content front={front} />}
    />
  );
}

function Content({ front }: { readonly front: Front & Used }) {
  const { usedBy } = useWords("pool");
  const { writes } = FRONTS.useRights();
  const form = useRecordForm<FrontBody, Front>({
    draft: `fronts/${front.id}`,
    initial: valuesOf(front),
    version: { read: front.updatedAt, valuesOf },
    save: (changed) => call("PUT", `/fronts/${front.id}`, { body: changed }),
    onDone: useSaved(FRONTS, front),
  });
  return (
    <Columns
      side={
        <>
          <Gives form={form} />
          <Panel title={usedBy.title}>
            <UsedBy kind={FRONTS} users={front.usedBy} />
          </Panel>
        </>
      }
    >
      <fieldset className={classes["fields"]} disabled={!writes} aria-label={front.name}>
        <FrontForm form={form} />
      </fieldset>
    </Columns>
  );
}
