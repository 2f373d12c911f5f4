// A new outbound, empty or another one's copy.
import { Create } from "../../fragments/FragmentForm.tsx";
import classes from "../../fragments/fragments.module.css";
import { NewFragmentPage } from "../../fragments/NewFragmentPage.tsx";
import { OUTBOUND_FORM } from "./OutboundForm.tsx";

const EMPTY = { tag: "", type: "direct", remark: "", config: {} };

export default function NewOutboundPage() {
  return (
    <NewFragmentPage
      kind={OUTBOUND_FORM}
      className={classes["narrow"]}
      begin={{ initial: EMPTY, draft: "outbounds/new" }}
      create={(begun) => <Create kind={OUTBOUND_FORM} begun={begun} />}
    />
  );
}
