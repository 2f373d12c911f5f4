// Deleted users that can come back: who deleted them, until when they are kept, and what brings them back.
import { IconTrash } from "@tabler/icons-react";
import { lazy, Suspense, useMemo } from "react";
import { Ago, Moment } from "../parts/Ago.tsx";
import { ListPage } from "../parts/ListPage.tsx";
import { Dim, Name } from "../parts/Names.tsx";
import { QuotaBar } from "../parts/Quantities.tsx";
import type { Column } from "../parts/table/columns.ts";
import { isoOf } from "../parts/table/export.ts";
import { useListQuery } from "../parts/table/list-query.ts";
import { useOwners } from "../users/use-owners.ts";
import { useWritesUsers } from "../session/writes-users.ts";
import { useWords } from "../words/words.ts";
import type { DeletedUser } from "./deleted.ts";
import { useDeletedVerbs } from "./use-deleted-verbs.tsx";

const RestoreMany = lazy(() => import("./RestoreMany.tsx"));

const DEFAULTS = { sort: "deleted_at", order: "desc", filters: ["admin_id"] } as const;
const REFRESH_MS = 15_000;

export default function DeletedPage() {
  const words = useWords("deleted");
  const writes = useWritesUsers();
  const owners = useOwners();
  return (
    <ListPage<DeletedUser>
      id="deleted-users"
      title={words.title}
      path="/users/deleted"
      query={useListQuery(DEFAULTS)}
      count={words.total}
      back={{ href: "/users", label: words.back }}
      columns={useColumns()}
      rowLabel={({ name }) => name}
      verbs={useDeletedVerbs(writes)}
      search={words.search}
      {...(owners.length > 0 && {
        filters: [
          {
            kind: "select",
            name: "admin_id",
            label: words.columns.owner,
            options: [
              { value: "0", label: words.panel },
              ...owners.map(({ id, username }) => ({ value: String(id), label: username })),
            ],
          },
        ],
      })}
      {...(writes && {
        bulk: (rows, keep) => (
          <Suspense>
            <RestoreMany users={rows} onDone={keep} />
          </Suspense>
        ),
      })}
      empty={{
        title: words.none,
        text: words.noneText,
        icon: <IconTrash size={32} stroke={1.4} aria-hidden />,
        from: { href: "/users", label: words.back },
      }}
      every={REFRESH_MS}
    />
  );
}

function useColumns(): readonly Column<DeletedUser>[] {
  const { columns } = useWords("deleted");
  return useMemo(
    () => [
      {
        id: "name",
        header: columns.name,
        sort: "name",
        card: "title",
        cell: ({ name }) => <Name>{name}</Name>,
        text: ({ name }) => name,
      },
      {
        id: "deleted",
        header: columns.deleted,
        sort: "deleted_at",
        width: 150,
        card: "under",
        cell: ({ deletedAt }) => <Ago at={deletedAt} style="short" />,
        text: ({ deletedAt }) => isoOf(deletedAt),
      },
      {
        id: "by",
        header: columns.by,
        width: 140,
        above: 900,
        cell: ({ deletedBy }) => (deletedBy === "" ? <Dim>–</Dim> : <Name>{deletedBy}</Name>),
        text: ({ deletedBy }) => deletedBy,
      },
      {
        id: "usage",
        header: columns.usage,
        width: 170,
        above: 900,
        cell: ({ used, volume }) => <QuotaBar used={used} limit={volume} />,
        text: ({ used }) => used,
      },
      {
        id: "ends",
        header: columns.ends,
        sort: "expiry",
        width: 128,
        above: 1100,
        cell: ({ expiry }) => <Moment at={expiry} style="date" none="–" />,
        text: ({ expiry }) => isoOf(expiry),
      },
      {
        id: "until",
        header: columns.until,
        width: 160,
        cell: ({ until }) => <Moment at={until} />,
        text: ({ until }) => isoOf(until),
      },
    ],
    [columns],
  );
}
