// Resellers: what each used of its allowance, whether its users are served, and when its period and its time end.
import { IconBuildingStore } from "@tabler/icons-react";
import { ListPage } from "../parts/ListPage.tsx";
import { stateTone } from "../parts/tone.ts";
import { useListQuery } from "../parts/table/list-query.ts";
import type { Admin } from "../admins/admin.ts";
import { useWords } from "../words/words.ts";
import { useResellerColumns } from "./reseller-columns.tsx";
import { useResellerVerbs } from "./use-reseller-verbs.tsx";

const DEFAULTS = { sort: "username", order: "asc", filters: ["state"] } as const;
const STATES = ["open", "closing", "closed", "opening"] as const;
const REFRESH_MS = 15_000;

export default function ResellersPage() {
  const words = useWords("resellers");
  const query = useListQuery(DEFAULTS);
  return (
    <ListPage<Admin>
      id="resellers"
      title={words.title}
      path="/admins"
      query={query}
      parameters={{ ...query.api, base: "resale" }}
      count={words.count}
      create={{ href: "/admins/new?role=resale", label: words.add }}
      columns={useResellerColumns()}
      rowLabel={({ username }) => username}
      href={({ id }) => `/resellers/${id}`}
      verbs={useResellerVerbs()}
      dimmed={({ closedBy }) => closedBy !== ""}
      filters={[
        {
          kind: "chips",
          name: "state",
          all: { value: "", label: words.filters.all },
          options: STATES.map((state) => ({
            value: state,
            label: words.filters[state],
            tone: stateTone("reseller", state === "closed" ? "closed.volume" : state),
          })),
        },
      ]}
      search={words.search}
      empty={{
        title: words.noneTitle,
        text: words.noneText,
        icon: <IconBuildingStore size={32} stroke={1.4} aria-hidden />,
      }}
      every={REFRESH_MS}
      moves={{ kind: "reseller" }}
    />
  );
}
