// The filters of the users' list: statuses with their counts, and selects for what has many values.
import { FilterChips, FilterSelect } from "../parts/table/Filters.tsx";
import type { ListQuery } from "../parts/table/list-query.ts";
import { useWords } from "../words/words.ts";
import { statusCounts, STATUSES, type Summary } from "./user.ts";
import { useTemplates } from "./use-templates.ts";

const TONES = {
  active: "ok",
  pending: "waiting",
  limited: "waiting",
  expired: "failed",
  disabled: "off",
  reseller: "waiting",
} as const;

export function UserFilters({ query, summary }: { readonly query: ListQuery; readonly summary: Summary | undefined }) {
  const words = useWords("users");
  const { all: templates } = useTemplates();
  const counts = summary && statusCounts(summary);
  // Resellers are not everywhere.
  const statuses = STATUSES.filter(
    (status) => status !== "reseller" || counts?.reseller || query.filters["status"] === status,
  );
  const groups = summary?.groups.filter(({ group }) => group !== "") ?? [];
  return (
    <>
      <FilterChips
        query={query}
        name="status"
        all={{ value: "", label: words.all, count: summary?.total }}
        options={statuses.map((status) => ({
          value: status,
          label: words.status[status],
          count: counts?.[status],
          tone: TONES[status],
        }))}
      />
      <FilterChips
        query={query}
        name="online"
        options={[{ value: "true", label: words.online, count: summary?.online }]}
      />
      {groups.length === 0 && query.filters["group"] === undefined ? null : (
        <FilterSelect
          query={query}
          name="group"
          label={words.filterGroup}
          options={groups.map(({ group }) => ({ value: group, label: group }))}
          width={116}
        />
      )}
      {templates === undefined || templates.length === 0 ? null : (
        <FilterSelect
          query={query}
          name="template_id"
          label={words.filterTemplate}
          options={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
          width={122}
        />
      )}
      <FilterSelect
        query={query}
        name="ends"
        label={words.filterEnds}
        options={[
          { value: "week", label: words.ends.week },
          { value: "month", label: words.ends.month },
          { value: "never", label: words.ends.never },
        ]}
        width={116}
      />
    </>
  );
}
