// The users' list: counts that are filters, search, and everything that is done daily in the row.
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useApi, type Listing } from "../api/queries.ts";
import { useRefreshed } from "../api/live.ts";
import { useFormat } from "../format/use-format.ts";
import { Empty } from "../parts/Answer.tsx";
import { useNow } from "../parts/now.ts";
import { PageHead } from "../parts/Record.tsx";
import { DataTable } from "../parts/table/DataTable.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import { useKeys } from "../shell/keys.ts";
import { useWords } from "../words/words.ts";
import { BulkActions } from "./BulkActions.tsx";
import { endsParameters, userPath, type Summary, type User } from "./user.ts";
import { useUserActions, useWritesUsers } from "./use-user-actions.tsx";
import { UserDialogs, type Asked } from "./UserDialogs.tsx";
import { UserFilters } from "./UserFilters.tsx";
import { useUserColumns } from "./user-columns.tsx";

const DEFAULTS = { sort: "id", order: "desc", filters: ["status", "online", "group", "template_id", "ends"] } as const;
const REFRESH_MS = 15_000;

export default function UsersPage() {
  const words = useWords("users");
  const format = useFormat();
  const [, navigate] = useLocation();
  const query = useListQuery(DEFAULTS);
  const [asked, ask] = useState<Asked>();
  const writes = useWritesUsers();
  const hour = useNow(3600);
  const { ends, ...filters } = query.api;
  const parameters = { ...filters, ...endsParameters(query.filters["ends"], hour) };
  const users = useApi<Listing<User>>("/users", parameters, { refetchInterval: REFRESH_MS });
  const summary = useApi<Summary>("/users/summary", {}, { refetchInterval: REFRESH_MS });
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
        {...(writes ? { bulk: (rows, clear) => <BulkActions users={rows} onDone={clear} /> } : {})}
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
