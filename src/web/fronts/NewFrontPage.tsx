// A new front: empty, for one inbound, or a copy of another.
import { useSearchParams } from "wouter";
import { call } from "../api/call.ts";
import { useCreated } from "../fragments/use-written.ts";
import { Columns } from "../fragments/FragmentPage.tsx";
import { NewFragmentPage } from "../fragments/NewFragmentPage.tsx";
import { nested, type Values } from "../parts/form/field.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { FRONTS, NEW_FRONT, type Front, type FrontBody } from "./front.ts";
import { FrontForm, Gives } from "./FrontForm.tsx";

export default function NewFrontPage() {
  const [search] = useSearchParams();
  const inbound = Number(search.get("inbound") ?? 0);
  return (
    <NewFragmentPage
      kind={FRONTS}
      begin={
        inbound > 0
          ? { initial: { ...NEW_FRONT, inboundIds: [inbound] }, draft: `fronts/new/for-${inbound}` }
          : { initial: NEW_FRONT, draft: "fronts/new" }
      }
      create={({ initial, draft }) => <Create initial={initial as Values} draft={draft} />}
    />
  );
}

function Create({ initial, draft }: { readonly initial: Values; readonly draft: string }) {
  const form = useRecordForm<FrontBody, Front>({
    draft,
    initial,
    save: (changed) => call("POST", "/fronts", { body: { ...nested(initial), ...changed } }),
    onDone: useCreated(FRONTS),
  });
  return (
    <Columns side={<Gives form={form} />}>
      <FrontForm form={form} fresh />
    </Columns>
  );
}
