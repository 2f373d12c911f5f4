// One outbound: its form and its JSON over one draft, and what uses it.
import { Columns, FragmentPage, TypeAndRemark } from "../../fragments/FragmentPage.tsx";
import { Editor } from "../../fragments/FragmentForm.tsx";
import { UsedBy } from "../../fragments/UsedBy.tsx";
import { Panel } from "../../parts/Record.tsx";
import { useWords } from "../../words/words.ts";
import { OUTBOUND_FORM } from "./OutboundForm.tsx";
import { OUTBOUNDS, useOutboundVerbs } from "./outbounds.tsx";

export default function OutboundPage() {
  const { outbounds, usedBy } = useWords("pool");
  return (
    <FragmentPage
      kind={OUTBOUND_FORM}
      useKindVerbs={useOutboundVerbs}
      tab={outbounds.title}
      under={TypeAndRemark}
      content={(outbound) => (
        <Columns
          side={
            <Panel title={usedBy.title}>
              <UsedBy kind={OUTBOUNDS} users={outbound.usedBy} />
            </Panel>
          }
        >
          <Editor kind={OUTBOUND_FORM} record={outbound} label={outbounds.asJson} />
        </Columns>
      )}
    />
  );
}
