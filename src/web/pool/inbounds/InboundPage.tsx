// One inbound: its form and its JSON over one draft, what uses it, and its fronts.
import { Button } from "@mantine/core";
import { lazy } from "react";
import { Link } from "wouter";
import { Editor } from "../../fragments/FragmentForm.tsx";
import { Columns, FragmentPage, TypeAndRemark } from "../../fragments/FragmentPage.tsx";
import type { Used } from "../../fragments/kind.ts";
import { UsedBy } from "../../fragments/UsedBy.tsx";
import { Panel } from "../../parts/Record.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { INBOUND_FORM } from "./InboundForm.tsx";
import { INBOUNDS, useInboundVerbs, type Inbound } from "./inbounds.tsx";
import { RefusedNotes } from "./Refused.tsx";

const InboundFronts = lazy(() => import("./InboundFronts.tsx"));

/** What is reached over a transport may be behind fronts. */
const WITH_TRANSPORT = ["vless", "vmess", "trojan"];

export default function InboundPage() {
  const { inbounds, keys } = useWords("pool");
  const titles = useWords("titles");
  return (
    <FragmentPage
      kind={INBOUND_FORM}
      useKindVerbs={useInboundVerbs}
      tab={keys.config}
      under={TypeAndRemark}
      content={(inbound) => (
        <Columns side={<Users inbound={inbound} />}>
          <Editor
            kind={INBOUND_FORM}
            record={inbound}
            label={inbounds.asJson}
            asked={inbound.usedBy}
            notes={<RefusedNotes fields={inbound.refused} />}
          />
        </Columns>
      )}
      more={(inbound) => [
        WITH_TRANSPORT.includes(inbound.type) && {
          id: "fronts",
          label: titles.fronts,
          content: <InboundFronts inbound={inbound} />,
        },
      ]}
    />
  );
}

function Users({ inbound: { id, usedBy } }: { readonly inbound: Inbound & Used }) {
  const words = useWords("pool");
  const can = useCan();
  return (
    <Panel title={words.usedBy.title}>
      <UsedBy kind={INBOUNDS} users={usedBy} />
      {can("templates:write") && usedBy.templates?.length === 0 ? (
        <Button component={Link} href={`/templates/new?inbound=${id}`} mt="sm" fullWidth>
          {words.inbounds.intoTemplate}
        </Button>
      ) : null}
    </Panel>
  );
}
