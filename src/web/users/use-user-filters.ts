// The filters of the users' list: statuses with their counts, and selects for what has many values.
import { useApi } from "../api/queries.ts";
import type { ListFilter } from "../parts/table/Filters.tsx";
import type { ListQuery } from "../parts/table/list-query.ts";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { STANDING_TONES, statusCounts, STATUSES, type Status, type Summary } from "./user.ts";
import { useOwners } from "./use-owners.ts";
import { useTemplates } from "../plans/use-templates.ts";

/** The standing whose colour a status has. */
const STANDINGS = {
  active: "active",
  pending: "pending",
  limited: "volume",
  expired: "expiry",
  disabled: "manual",
  reseller: "resaleVolume",
} as const satisfies Record<Status, keyof typeof STANDING_TONES>;

export function useUserFilters(query: ListQuery, summary: Summary | undefined): readonly ListFilter[] {
  const words = useWords("users");
  const { all: templates } = useTemplates();
  const owners = useOwners();
  const node = useChosenNode(query.filters["node_id"]);
  const counts = summary && statusCounts(summary);
  // Resellers are not everywhere.
  const statuses = STATUSES.filter(
    (status) => status !== "reseller" || counts?.reseller || query.filters["status"] === status,
  );
  const groups = summary?.groups.filter(({ group }) => group !== "") ?? [];
  return [
    {
      kind: "chips",
      name: "status",
      all: { value: "", label: words.all, count: summary?.total },
      options: statuses.map((status) => ({
        value: status,
        label: words.status[status],
        count: counts?.[status],
        tone: STANDING_TONES[STANDINGS[status]],
      })),
    },
    { kind: "chips", name: "online", options: [{ value: "true", label: words.online, count: summary?.online }] },
    {
      kind: "select",
      name: "group",
      label: words.filterGroup,
      options: groups.map(({ group }) => ({ value: group, label: group })),
      width: 116,
    },
    {
      kind: "select",
      name: "template_id",
      label: words.filterTemplate,
      options: (templates ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      width: 122,
    },
    {
      kind: "select",
      name: "ends",
      label: words.filterEnds,
      options: (["week", "month", "never"] as const).map((value) => ({ value, label: words.ends[value] })),
      width: 116,
    },
    {
      kind: "select",
      name: "admin_id",
      label: words.filterOwner,
      options: owners.map(({ id, username }) => ({ value: String(id), label: username })),
      width: 122,
    },
    {
      kind: "select",
      name: "node_id",
      label: words.filterNode,
      options: node ? [{ value: String(node.id), label: node.name }] : [],
      width: 122,
    },
  ];
}

/** The node whose users a link asked for. */
function useChosenNode(id: string | undefined): { readonly id: number; readonly name: string } | undefined {
  const can = useCan();
  return useApi<{ readonly id: number; readonly name: string }>(
    `/nodes/${id ?? ""}`,
    {},
    { enabled: id !== undefined && can("nodes:read") },
  ).data;
}
