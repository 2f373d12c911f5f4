// The users of one reseller: found, opened, and moved to another owner, some or all of them.
import { Suspense } from "react";
import type { Admin } from "../admins/admin.ts";
import { readAll } from "../api/all-rows.ts";
import { useRefreshed } from "../api/live.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { Empty } from "../parts/Answer.tsx";
import { DataTable } from "../parts/table/DataTable.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import MoveUsers from "../users/MoveUsers.tsx";
import { selectedUsers } from "../users/selected.ts";
import { useUserColumns } from "../users/user-columns.tsx";
import { useUserVerbs } from "../users/use-user-verbs.tsx";
import { useWritesUsers } from "../session/writes-users.ts";
import { readSearch, userPath, type User } from "../users/user.ts";
import { useWords } from "../words/words.ts";

const DEFAULTS = { sort: "id", order: "desc" } as const;
/** What is asked of a user here; the users' list has the others. */
const COLUMNS: ReadonlySet<string> = new Set(["name", "status", "usage", "expiry", "onlineAt"]);
const MOST = 1000;
const REFRESH_MS = 15_000;

export function ResellerAccounts({ admin }: { readonly admin: Admin }) {
  const words = useWords("resellers");
  const { search } = useWords("users");
  const query = useListQuery(DEFAULTS);
  const writes = useWritesUsers();
  const verbs = useUserVerbs();
  const columns = useUserColumns(verbs, writes);
  const parameters = { ...query.api, admin_id: admin.id };
  const answer = useApi<Listing<User>>("/users", parameters, { refetchInterval: REFRESH_MS });
  useRefreshed("user", ["/users"]);
  return (
    <>
      <DataTable<User>
        id="reseller-users"
        columns={columns.filter(({ id }) => COLUMNS.has(id))}
        query={query}
        answer={answer}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        href={(user) => userPath(user)}
        actions={verbs.of}
        dimmed={({ enable }) => !enable}
        search={search}
        readSearch={readSearch}
        {...(writes && {
          takesAll: true,
          bulk: (rows, keep, matching) => (
            <Suspense>
              <MoveUsers users={selectedUsers(rows, matching, parameters)} onDone={keep} />
            </Suspense>
          ),
        })}
        all={(most = MOST) => readAll<User>("/users", parameters, most)}
        empty={<Empty small title={words.noUsersTitle} text={words.noUsersText} />}
      />
      {verbs.dialogs}
    </>
  );
}
