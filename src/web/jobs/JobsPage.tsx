// All jobs, the newest first: what is done to many users at once, and how far it is.
import { IconStack2 } from "@tabler/icons-react";
import { useMemo } from "react";
import { useFormat } from "../format/use-format.ts";
import { Ago } from "../parts/Ago.tsx";
import { ListPage } from "../parts/ListPage.tsx";
import { Dim, Name } from "../parts/Names.tsx";
import type { Column } from "../parts/table/columns.ts";
import { useListQuery } from "../parts/table/list-query.ts";
import { useWritesUsers } from "../session/writes-users.ts";
import { useWords } from "../words/words.ts";
import { workText, type Job } from "./job.ts";
import { JobBadge } from "./JobState.tsx";
import { useJobVerbs } from "./use-job-verbs.tsx";

const DEFAULTS = { sort: "id", order: "desc", filters: ["state"] } as const;
const AGAIN_MS = 3000;
const STATES = ["queued", "running", "cancelling", "succeeded", "failed", "cancelled"] as const;

export default function JobsPage() {
  const words = useWords("jobs");
  const writes = useWritesUsers();
  return (
    <ListPage<Job>
      id="jobs"
      title={words.title}
      path="/jobs"
      query={useListQuery(DEFAULTS)}
      count={words.total}
      columns={useColumns()}
      rowLabel={(job) => words.named(workText(job, words), job.id)}
      href={({ id }) => `/jobs/${id}`}
      verbs={useJobVerbs()}
      filters={[
        {
          kind: "select",
          name: "state",
          label: words.filterState,
          options: STATES.map((state) => ({ value: state, label: words.states[state] })),
        },
      ]}
      empty={{
        title: words.none,
        text: words.noneText,
        icon: <IconStack2 size={32} stroke={1.4} aria-hidden />,
        from: writes && { href: "/users/generate", label: words.works.generate },
      }}
      every={AGAIN_MS}
    />
  );
}

function useColumns(): readonly Column<Job>[] {
  const words = useWords("jobs");
  const format = useFormat();
  return useMemo(() => {
    const { columns } = words;
    return [
      {
        id: "work",
        header: columns.work,
        sort: "id",
        card: "title",
        cell: (job) => words.named(workText(job, words), job.id),
        text: (job) => workText(job, words),
      },
      {
        id: "state",
        header: columns.state,
        card: "corner",
        width: 160,
        cell: (job) => <JobBadge state={job.state} />,
        text: ({ state }) => state,
      },
      {
        id: "progress",
        header: columns.progress,
        width: 150,
        align: "end",
        cell: ({ done, total }) => words.progress(format.number(done), format.number(Math.max(total, done))),
        text: ({ done }) => done,
      },
      {
        id: "refused",
        header: columns.refused,
        width: 110,
        align: "end",
        cell: ({ blocked, failed, kind }) => {
          // What an import skips is not refused.
          const refused = kind.startsWith("users.bulk") ? blocked + failed : failed;
          return refused === 0 ? <Dim>–</Dim> : format.number(refused);
        },
        text: ({ failed }) => failed,
      },
      {
        id: "who",
        header: columns.who,
        width: 160,
        above: 900,
        cell: ({ actor }) => <Name>{actor}</Name>,
        text: ({ actor }) => actor,
      },
      {
        id: "began",
        header: columns.began,
        width: 150,
        above: 900,
        cell: ({ createdAt }) => <Ago at={createdAt} style="short" />,
        text: ({ createdAt }) => createdAt,
      },
    ];
  }, [words, format]);
}
