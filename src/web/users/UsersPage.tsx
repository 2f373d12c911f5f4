// The users' list: counts that are filters, search, and everything that is done daily in the row.
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { call } from "../api/call.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useRefreshed } from "../api/live.ts";
import { useFormat } from "../format/use-format.ts";
import { Empty } from "../parts/Answer.tsx";
import { useNow } from "../parts/now.ts";
import { PageHead } from "../parts/Record.tsx";
import { DataTable } from "../parts/table/DataTable.tsx";
import { MOST_AT_ONCE } from "../parts/table/SelectionBar.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import { useKeys } from "../shell/keys.ts";
import { useWords } from "../words/words.ts";
import { BulkActions } from "./BulkActions.tsx";
import { endsParameters, readSearch, statusParameters, userPath, type Summary, type User } from "./user.ts";
import { useUserActions, useWritesUsers } from "./use-user-actions.tsx";
import { UserDialogs, type Asked } from "./UserDialogs.tsx";
import { UserFilters } from "./UserFilters.tsx";
import { useUserColumns } from "./user-columns.tsx";

const DEFAULTS = { sort: "id", order: "desc", filters: ["status", "online", "group", "template_id", "ends"] } as const;
const REFRESH_MS = 15_000;
const BY_REASON = { by: "reason" };

export default function UsersPage() {
  const words = useWords("users");
  const format = useFormat();
  const [, navigate] = useLocation();
  const query = useListQuery(DEFAULTS);
  const [asked, ask] = useState<Asked>();
  const writes = useWritesUsers();
  const hour = useNow(3600);
  const { ends, status, ...filters } = query.api;
  const parameters = {
    ...filters,
    ...statusParameters(query.filters["status"]),
    ...endsParameters(query.filters["ends"], hour),
  };
  const users = useApi<Listing<User>>("/users", parameters, { refetchInterval: REFRESH_MS });
  const summary = useApi<Summary>("/users/summary", BY_REASON, { refetchInterval: REFRESH_MS });
  useRefreshed("user", ["/users", "/users/summary"]);
  const columns = useUserColumns((user) => ask({ what: "qr", user }), writes);
  const actions = useUserActions(ask);
  useKeys({ n: { label: words.add, run: () => navigate("/users/new"), enabled: writes } });
  const total = summary.data?.total;

  return (
    <>
      <PageHead
        title={words.title}
        under={total === undefined ? "\u00a0" : words.total(total, format.number(total))}
        actions={
          writes ? (
            <Button component={Link} href="/users/new" leftSection={<IconPlus size={16} aria-hidden />}>
              {words.add}
            </Button>
          ) : undefined
        }
      />
      <DataTable<User>
        id="users"
        columns={columns}
        query={query}
        answer={users}
        rowKey={(user) => user.id}
        rowLabel={(user) => user.name}
        href={(user) => userPath(user)}
        actions={actions}
        dimmed={(user) => !user.enable}
        filters={<UserFilters query={query} summary={summary.data} />}
        search={words.search}
        readSearch={readSearch}
        views={[
          { name: words.views.ending, address: "ends=week&order=asc&sort=expiry" },
          { name: words.views.heaviest, address: "order=desc&sort=usage" },
          { name: words.views.spent, address: "status=limited" },
        ]}
        all={async () =>
          (await call<Listing<User>>("GET", "/users", { query: { ...parameters, limit: MOST_AT_ONCE, offset: 0 } }))
            .items
        }
        {...(writes ? { bulk: (rows, keep) => <BulkActions users={rows} onDone={keep} /> } : {})}
        empty={
          <Empty
            title={words.noneTitle}
            text={words.noneText}
            action={
              writes ? (
                <Button component={Link} href="/users/new">
                  {words.add}
                </Button>
              ) : undefined
            }
          />
        }
      />
      <UserDialogs asked={asked} onClose={() => ask(undefined)} />
    </>
  );
}
