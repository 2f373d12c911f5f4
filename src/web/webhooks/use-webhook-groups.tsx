// The fields of a webhook's form.
import type { Admin } from "../admins/admin.ts";
import { useApi, type Listing } from "../api/queries.ts";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import type { RecordForm } from "../parts/form/record-form.ts";
import { useCan, useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { EventChoice } from "./EventChoice.tsx";
import type { WebhookBody } from "./webhook.ts";

type Fields = Omit<WebhookBody, "events">;

export function useWebhookGroups(form: RecordForm): readonly FieldGroup<Fields>[] {
  const words = useWords("webhooks");
  const { base } = useMe();
  const accounts = useApi<Listing<Pick<Admin, "id" | "username">>>(
    "/admins",
    { limit: 1000, sort: "username" },
    { enabled: useCan()("admins:write") && base === "sudo" },
  ).data?.items;
  const events = form.values["events"];
  return [
    {
      title: words.groups.where,
      fields: [
        { name: "name", kind: "text", label: words.fields.name, required: true },
        {
          name: "url",
          kind: "text",
          code: true,
          label: words.fields.url,
          help: words.fields.urlHelp,
          placeholder: "https://shop.example/events",
          required: true,
        },
        { name: "enabled", kind: "switch", label: words.fields.enabled },
        // A reseller's webhook hears of its own users whatever is asked.
        ...(base === "resale" ? [] : [{ name: "ownOnly", kind: "switch", label: words.fields.ownOnly } as const]),
        ...(accounts
          ? [
              {
                name: "adminId",
                kind: "choice",
                label: words.fields.account,
                help: words.fields.accountHelp,
                choices: [
                  { value: 0, label: words.fields.ownAccount },
                  ...accounts.map(({ id, username }) => ({ value: id, label: username })),
                ],
                when: (values: Values) => values["ownOnly"] === true,
              } as const,
            ]
          : []),
      ],
    },
    {
      title: words.events,
      text: (
        <EventChoice
          chosen={Array.isArray(events) ? events.map(String) : []}
          problem={form.problems["events"]}
          choose={(next) => form.set("events", next)}
        />
      ),
      fields: [],
    },
  ];
}
