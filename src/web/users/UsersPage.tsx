// The users' list: counts that are filters, search, and everything that is done daily in the row.
import { lazy, Suspense } from "react";
import { useApi } from "../api/queries.ts";
import { UsersMenu } from "../jobs/UsersMenu.tsx";
import { ListPage } from "../parts/ListPage.tsx";
import { useNow } from "../parts/now.ts";
import { useCan, useMe } from "../session/me.ts";
import { useListQuery } from "../parts/table/list-query.ts";
import { useWords } from "../words/words.ts";
import { selectedUsers } from "./selected.ts";
import { endsParameters, readSearch, statusParameters, userPath, type Summary, type User } from "./user.ts";
import { useUserColumns } from "./user-columns.tsx";
import { useUserFilters } from "./use-user-filters.ts";
import { useUserVerbs } from "./use-user-verbs.tsx";
import { useWritesUsers } from "../session/writes-users.ts";

const BulkActions = lazy(() => import("./BulkActions.tsx"));
const BulkEdit = lazy(() => import("./BulkEdit.tsx"));
const BulkExtend = lazy(() => import("./BulkExtend.tsx"));
const MoveUsers = lazy(() => import("./MoveUsers.tsx"));

const DEFAULTS = {
  sort: "id",
  order: "desc",
  filters: ["status", "online", "group", "template_id", "ends", "admin_id", "node_id"],
} as const;
const REFRESH_MS = 15_000;
const BY_REASON = { by: "reason" };

export default function UsersPage() {
  const words = useWords("users");
  const query = useListQuery(DEFAULTS);
  const writes = useWritesUsers();
  const { plansOnly: sells } = useMe();
  const moves = useCan()("admins:write");
  const verbs = useUserVerbs();
  const hour = useNow(3600);
  const { ends, status, ...rest } = query.api;
  const { data: summary } = useApi<Summary>("/users/summary", BY_REASON, { refetchInterval: REFRESH_MS });
  const parameters = {
    ...rest,
    ...statusParameters(query.filters["status"]),
    ...endsParameters(query.filters["ends"], hour),
  };
  return (
    <ListPage<User>
      id="users"
      title={words.title}
      path="/users"
      query={query}
      parameters={parameters}
      count={words.total}
      total={summary?.total}
      head={<UsersMenu writes={writes} parameters={parameters} />}
      create={writes && { href: "/users/new", label: words.add }}
      columns={useUserColumns(verbs, writes)}
      rowLabel={(user) => user.name}
      href={(user) => userPath(user)}
      verbs={verbs}
      dimmed={(user) => !user.enable}
      filters={useUserFilters(query, summary)}
      search={words.search}
      readSearch={readSearch}
      views={[
        { name: words.views.ending, address: "ends=week&order=asc&sort=expiry" },
        { name: words.views.heaviest, address: "order=desc&sort=usage" },
        { name: words.views.spent, address: "status=limited" },
      ]}
      {...(writes && {
        takesAll: true,
        bulk: (rows, keep, matching) => {
          const users = selectedUsers(rows, matching, parameters);
          return (
            <Suspense>
              <BulkActions users={users} onDone={keep}>
                {sells ? null : (
                  <>
                    <BulkExtend users={users} onDone={keep} />
                    <BulkEdit users={users} onDone={keep} />
                  </>
                )}
                {moves ? <MoveUsers users={users} onDone={keep} /> : null}
              </BulkActions>
            </Suspense>
          );
        },
      })}
      empty={{ title: words.noneTitle, text: words.noneText }}
      every={REFRESH_MS}
      moves={{ kind: "user", also: ["/users/summary"] }}
    />
  );
}
