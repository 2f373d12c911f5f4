// The columns of the list of archives.
import { useMemo } from "react";
import { useFormat } from "../format/use-format.ts";
import { Ago } from "../parts/Ago.tsx";
import { Code, Dim } from "../parts/Names.tsx";
import { Bytes } from "../parts/Quantities.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import type { Column } from "../parts/table/columns.ts";
import { useWords } from "../words/words.ts";
import { isOfRestore, type Backup } from "./backup.ts";
import classes from "./backups.module.css";

export function useBackupColumns(): readonly Column<Backup>[] {
  const words = useWords("backups");
  const { list } = words;
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: "name",
        header: list.name,
        card: "title",
        cell: ({ name }) => (
          <span className={classes["name"]}>
            <Code>{name}</Code>
            {isOfRestore(name) ? <Dim>{list.beforeRestore}</Dim> : null}
          </span>
        ),
        text: ({ name }) => name,
      },
      {
        id: "age",
        header: list.age,
        sort: "age",
        width: 150,
        card: "line",
        cell: ({ createdAt }) => <Ago at={createdAt} />,
        text: ({ createdAt }) => createdAt,
      },
      {
        id: "size",
        header: list.size,
        sort: "size",
        width: 110,
        align: "end",
        card: "line",
        cell: ({ size }) => <Bytes value={size} />,
        text: ({ size }) => size,
      },
      {
        id: "holds",
        header: list.holds,
        width: 230,
        above: 1100,
        cell: ({ manifest }) => {
          if (!manifest) return <Dim>–</Dim>;
          const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
          const more = [manifest.history ? list.history : "", manifest.audit ? list.audit : ""].filter(Boolean);
          return [words.rows(rows, format.number(rows)), ...more].join(" · ");
        },
        text: ({ manifest }) => manifest?.tables.reduce((sum, table) => sum + table.rows, 0) ?? "",
      },
      {
        id: "encrypted",
        header: list.protection,
        width: 140,
        cell: ({ encrypted }) => (encrypted ? list.encrypted : <Dim>{list.open}</Dim>),
        text: ({ encrypted }) => encrypted,
      },
      {
        id: "rehearsed",
        header: list.rehearsed,
        width: 170,
        card: "corner",
        cell: (backup) => <RehearsalMark backup={backup} />,
        text: ({ rehearsal }) => rehearsal ?? "",
      },
    ],
    [words, list, format],
  );
}

/** How the archive came out when it was last tried. */
export function RehearsalMark({
  backup: { rehearsal, rehearsedAt },
}: {
  readonly backup: Pick<Backup, "rehearsal" | "rehearsedAt">;
}) {
  const { list } = useWords("backups");
  const format = useFormat();
  if (rehearsal === null || rehearsedAt === null) return <Dim>{list.never}</Dim>;
  return (
    <ToneBadge tone={rehearsal === "ok" ? "ok" : "failed"} tip={format.date(rehearsedAt, "precise")}>
      {list[rehearsal]}
    </ToneBadge>
  );
}
