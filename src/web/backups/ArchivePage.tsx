// An archive of the panel's folder: what it would bring, and the way to restore it.
import { Button } from "@mantine/core";
import { Link, useParams } from "wouter";
import { useApi } from "../api/queries.ts";
import { Answer, Empty, LoadingLines } from "../parts/Answer.tsx";
import { PageHead } from "../parts/Record.tsx";
import { RecordFrame } from "../parts/RecordPage.tsx";
import { useWords } from "../words/words.ts";
import { ArchiveView } from "./ArchiveView.tsx";
import { BACKUPS, pageOf, type Backup, type BackupList } from "./backup.ts";
import { RehearsalMark } from "./backup-columns.tsx";
import { useBackupVerbs } from "./use-backup-verbs.tsx";

export default function ArchivePage() {
  const { name } = useParams<{ name: string }>();
  const words = useWords("backups");
  const parts = useWords("parts");
  const list = useApi<BackupList>(BACKUPS.list);
  const back = { href: "/backups", label: words.title };
  const found = list.data?.items.find((each) => each.name === name);
  if (found) return <Archive backup={{ ...found, id: found.name }} />;
  return (
    <>
      <PageHead title={words.title} back={back} />
      <Answer of={list} loading={<LoadingLines lines={8} />}>
        {() => (
          <Empty
            title={words.archive.missing}
            text={words.archive.missingText}
            action={
              <Button component={Link} href={back.href} variant="default">
                {parts.toList}
              </Button>
            }
          />
        )}
      </Answer>
    </>
  );
}

function Archive({ backup }: { readonly backup: Backup }) {
  const words = useWords("backups");
  return (
    <RecordFrame
      record={backup}
      name={backup.name}
      list={{ id: "backups", href: "/backups", title: words.title }}
      href={pageOf(backup.name)}
      verbs={useBackupVerbs("/backups")}
      beside={backup.rehearsal === null ? undefined : <RehearsalMark backup={backup} />}
      tabs={[{ id: "archive", label: words.archive.facts, content: <ArchiveView source={{ stored: backup.name }} /> }]}
    />
  );
}
