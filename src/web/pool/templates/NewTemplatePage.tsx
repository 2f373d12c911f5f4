// A new template: with the inbound that the person came from, or another template's copy.
import { useSearchParams } from "wouter";
import { Create } from "../../fragments/FragmentForm.tsx";
import classes from "../../fragments/fragments.module.css";
import { NewFragmentPage } from "../../fragments/NewFragmentPage.tsx";
import { TEMPLATE_FORM } from "./TemplateForm.tsx";

const EMPTY = { name: "", remark: "", inboundIds: [], outboundIds: [], route: {}, core: {} };

export default function NewTemplatePage() {
  const [search] = useSearchParams();
  const inbound = Number(search.get("inbound") ?? 0);
  const initial = { ...EMPTY, inboundIds: inbound > 0 ? [inbound] : [] };
  return (
    <NewFragmentPage
      kind={TEMPLATE_FORM}
      className={classes["narrow"]}
      begin={{ initial, draft: `templates/new/${inbound}` }}
      create={(begun) => <Create kind={TEMPLATE_FORM} begun={begun} />}
    />
  );
}
