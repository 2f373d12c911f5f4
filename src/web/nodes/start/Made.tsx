// What the first step made, each with the way to it.
import { Anchor } from "@mantine/core";
import type { z } from "zod";
import { Link } from "wouter";
import type { TemplateView } from "../../../pool/template.schema.ts";
import { useApi } from "../../api/queries.ts";
import { Name } from "../../parts/Names.tsx";
import { Facts, Panel } from "../../parts/Record.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import type { Node } from "../node.ts";

type Template = z.output<typeof TemplateView>;

export function Made({ node }: { readonly node: Node }) {
  const { start, fields } = useWords("nodes");
  const can = useCan();
  const id = node.templateId ?? 0;
  const template = useApi<Template>(`/templates/${id}`, {}, { enabled: id > 0 && can("templates:read") });
  const { data } = template;
  if (!data) return null;
  return (
    <Panel title={start.made}>
      <Facts
        items={[
          ...data.inbounds.map((inbound) => ({
            label: start.inbound,
            value: (
              <Anchor component={Link} href={`/inbounds/${inbound.id}`}>
                <Name>{inbound.tag}</Name>
              </Anchor>
            ),
          })),
          {
            label: fields.template,
            value: (
              <Anchor component={Link} href={`/templates/${data.id}`}>
                <Name>{data.name}</Name>
              </Anchor>
            ),
          },
          {
            label: start.nodeLabel,
            value: (
              <Anchor component={Link} href={`/nodes/${node.id}`}>
                <Name>{node.name}</Name>
              </Anchor>
            ),
          },
        ]}
      />
    </Panel>
  );
}
