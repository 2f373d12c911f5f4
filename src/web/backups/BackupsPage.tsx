// Backups: how the schedule does, and every archive in the folder with what can be done with it.
import { Button } from "@mantine/core";
import { IconArchive, IconFileUpload } from "@tabler/icons-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { Link } from "wouter";
import { useApi } from "../api/queries.ts";
import { useKeys } from "../browser/keys.ts";
import { usePageTitle } from "../browser/title.ts";
import { Empty } from "../parts/Answer.tsx";
import { PageHead } from "../parts/Record.tsx";
import { DataTable } from "../parts/table/DataTable.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { BACKUPS, pageOf, type Backup, type BackupList, type BackupSchedule } from "./backup.ts";
import { useBackupColumns } from "./backup-columns.tsx";
import { RestoredNote } from "./RestoredNote.tsx";
import { ScheduleStanding } from "./ScheduleStanding.tsx";
import { useBackupVerbs } from "./use-backup-verbs.tsx";
import classes from "./backups.module.css";

const MakeDialog = lazy(() => import("./MakeDialog.tsx"));

const DEFAULTS = { sort: "age", order: "desc" } as const;
const AGAIN_MS = 15_000;

export default function BackupsPage() {
  const words = useWords("backups");
  const writes = useCan()("backup:write");
  const query = useListQuery(DEFAULTS);
  const answer = useApi<BackupList>(BACKUPS.list, {}, { refetchInterval: AGAIN_MS });
  const schedule = useApi<BackupSchedule>("/backups/schedule", {}, { refetchInterval: AGAIN_MS });
  const verbs = useBackupVerbs();
  const columns = useBackupColumns();
  const [making, setMaking] = useState(false);
  usePageTitle(words.title);
  useKeys({ n: { label: words.make, run: () => setMaking(true), enabled: writes } });
  const { data } = answer;
  const { sort, order, page, limit } = query;
  const listing = useMemo(() => {
    if (!data) return undefined;
    const all = data.items.map((file): Backup => ({ ...file, id: file.name }));
    const value = ({ size, createdAt }: Backup) => (sort === "size" ? size : createdAt);
    const sorted = all.toSorted((one, other) => (value(one) - value(other)) * (order === "asc" ? 1 : -1));
    return { items: sorted.slice((page - 1) * limit, page * limit), total: all.length };
  }, [data, sort, order, page, limit]);
  const make = writes ? (
    <Button leftSection={<IconArchive size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {words.make}
    </Button>
  ) : undefined;
  return (
    <>
      <PageHead
        title={words.title}
        under={words.text}
        actions={
          <>
            <Button
              component={Link}
              href="/backups/file"
              variant="default"
              leftSection={<IconFileUpload size={16} aria-hidden />}
            >
              {words.open}
            </Button>
            {make}
          </>
        }
      />
      <div className={classes["page"]}>
        <RestoredNote />
        <ScheduleStanding schedule={schedule} folder={data?.dir} newest={data?.items[0]} />
        <DataTable<Backup>
          id="backups"
          columns={columns}
          query={query}
          answer={{ ...answer, data: listing }}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          href={({ name }) => pageOf(name)}
          actions={verbs.of}
          empty={
            <Empty
              title={words.list.empty}
              text={words.list.emptyText}
              icon={<IconArchive size={32} stroke={1.4} aria-hidden />}
              action={make}
            />
          }
        />
      </div>
      {verbs.dialogs}
      {making ? (
        <Suspense>
          <MakeDialog schedule={schedule.data} onClose={() => setMaking(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
