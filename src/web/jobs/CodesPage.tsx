// The links of generated users as a sheet of codes: one for each, to be printed and cut out.
import { Button } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useParams } from "wouter";
import { useApi } from "../api/queries.ts";
import { Answer, Empty } from "../parts/Answer.tsx";
import { Name } from "../parts/Names.tsx";
import { QrDrawing } from "../parts/QrDrawing.tsx";
import { PageHead } from "../parts/Record.tsx";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import type { JobUser } from "./JobUsers.tsx";
import classes from "./jobs.module.css";

export default function CodesPage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("jobs");
  const users = useApi<readonly JobUser[]>(`/jobs/${id}/users`);
  usePageTitle(words.codesTitle);
  return (
    <>
      <PageHead
        title={words.codesTitle}
        under={words.codesText}
        back={{ href: `/jobs/${id}`, label: words.jobLink(Number(id)) }}
        actions={
          <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
            {words.print}
          </Button>
        }
      />
      <Answer of={users} empty={({ length }) => length === 0} whenEmpty={<Empty title={words.noCodes} />}>
        {(rows) => (
          <ul className={classes["sheet"]}>
            {rows.map(({ id: user, name, subUrl }) => (
              <li key={user} className={classes["code"]}>
                <QrDrawing value={subUrl} label={name} />
                <Name>{name}</Name>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </>
  );
}
