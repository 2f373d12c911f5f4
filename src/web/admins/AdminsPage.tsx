// Operators: main admins, admins and resellers, with what each has and when they were last here.
import { ListPage } from "../parts/ListPage.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import { useWords } from "../words/words.ts";
import type { Admin } from "./admin.ts";
import { useAdminColumns } from "./admin-columns.tsx";
import { useAdminVerbs } from "./use-admin-verbs.tsx";

const DEFAULTS = { sort: "username", order: "asc", filters: ["base"] } as const;

export default function AdminsPage() {
  const { admins: words } = useWords("access");
  const verbs = useAdminVerbs();
  return (
    <ListPage<Admin>
      id="admins"
      title={words.title}
      path="/admins"
      query={useListQuery(DEFAULTS)}
      count={words.count}
      create={{ href: "/admins/new", label: words.add }}
      columns={useAdminColumns()}
      rowLabel={({ username }) => username}
      href={({ id }) => `/admins/${id}`}
      verbs={verbs}
      filters={[
        {
          kind: "chips",
          name: "base",
          all: { value: "", label: words.only.all },
          options: [{ value: "resale", label: words.only.resale }],
        },
      ]}
      search={words.search}
      empty={{ title: words.noneTitle, text: words.noneText }}
    />
  );
}
