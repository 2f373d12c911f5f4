// A new front: empty, for one inbound, or a copy of another.
import { useLocation, useSearchParams } from "wouter";
import { call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import { Failure, LoadingLines } from "../parts/Answer.tsx";
import { nested, type Values } from "../parts/form/field.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { PageHead } from "../parts/Record.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import classes from "../fragments/fragments.module.css";
import { usePageTitle } from "../shell/title.ts";
import { useWords } from "../words/words.ts";
import { FRONTS, NEW_FRONT, valuesOf, type Front, type FrontBody } from "./front.ts";
import { FrontForm, Gives } from "./FrontForm.tsx";

export default function NewFrontPage() {
  const words = useWords("fronts");
  const [search] = useSearchParams();
  const from = Number(search.get("from") ?? 0);
  const inbound = Number(search.get("inbound") ?? 0);
  usePageTitle(words.add);
  return (
    <>
      <PageHead title={words.add} back={{ href: "/fronts", label: words.title }} />
      {from > 0 ? (
        <FromOther id={from} />
      ) : (
        <Create
          draft={inbound > 0 ? `fronts/new/for-${inbound}` : "fronts/new"}
          initial={inbound > 0 ? { ...NEW_FRONT, inboundIds: [inbound] } : NEW_FRONT}
        />
      )}
    </>
  );
}

function FromOther({ id }: { readonly id: number }) {
  const other = useApi<Front>(`/fronts/${id}`);
  if (other.error) return <Failure error={other.error} retry={() => void other.refetch()} />;
  if (!other.data) return <LoadingLines lines={8} />;
  return (
    <Create draft={`fronts/new/from-${id}`} initial={{ ...valuesOf(other.data), name: `${other.data.name}-copy` }} />
  );
}

function Create({ initial, draft }: { readonly initial: Values; readonly draft: string }) {
  const words = useWords("pool");
  const [, navigate] = useLocation();
  const settle = useSettle(FRONTS);
  const form = useRecordForm<FrontBody, Front>({
    draft,
    initial,
    save: (changed) => call("POST", "/fronts", { body: { ...nested(initial), ...changed } }),
    onDone(front) {
      settle(front, { said: words.created(front.name) });
      navigate(`/fronts/${front.id}`);
    },
  });
  return (
    <div className={classes["columns"]}>
      <FrontForm form={form} fresh />
      <div className={classes["side"]}>
        <Gives form={form} />
      </div>
    </div>
  );
}
