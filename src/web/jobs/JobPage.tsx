// One job: how far it is, what it came to, what was refused, and what it made. All of it is the panel's: a page that is
// loaded again shows the same.
import { Stack } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "wouter";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Ago } from "../parts/Ago.tsx";
import { Name } from "../parts/Names.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { RecordFrame, RecordPage, type RecordList } from "../parts/RecordPage.tsx";
import { useWords } from "../words/words.ts";
import { GENERATE, IMPORT, isUnderWay, workText, type Job } from "./job.ts";
import { JobBadge, JobProgress } from "./JobState.tsx";
import { JobUsers } from "./JobUsers.tsx";
import { LeftLines } from "./LeftLines.tsx";
import { Refused } from "./Refused.tsx";
import { useJobVerbs } from "./use-job-verbs.tsx";

const AGAIN_MS = 1000;

export default function JobPage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("jobs");
  const [ended, setEnded] = useState<string>();
  const job = useApi<Job>(`/jobs/${id}`, {}, ended === id ? {} : { refetchInterval: AGAIN_MS });
  if (job.data && String(job.data.id) === id && !isUnderWay(job.data) && ended !== id) setEnded(id);
  const list = { id: "jobs", href: "/jobs", title: words.title };
  return (
    <RecordPage of={job} list={list} missing={{ title: words.missing, text: words.missingText }}>
      {(record) => <JobRecord job={record} list={list} />}
    </RecordPage>
  );
}

function JobRecord({ job, list }: { readonly job: Job; readonly list: RecordList }) {
  const words = useWords("jobs");
  const content = (
    <Stack>
      <Panel title={words.progressTitle}>
        <Stack gap="sm">
          <JobProgress job={job} />
          <JobFacts job={job} />
        </Stack>
      </Panel>
      {job.kind === GENERATE && job.affected > 0 && !isUnderWay(job) ? <JobUsers id={job.id} /> : null}
      <WhatWasLeft job={job} />
    </Stack>
  );
  return (
    <RecordFrame
      record={job}
      name={words.named(workText(job, words), job.id)}
      list={list}
      href={`/jobs/${job.id}`}
      verbs={useJobVerbs()}
      beside={<JobBadge state={job.state} />}
      tabs={[{ id: "job", label: words.progressTitle, content }]}
    />
  );
}

/**
 * An import that has ended shows all lines that were refused or skipped. Any other job shows the first records that
 * were refused.
 */
function WhatWasLeft({ job }: { readonly job: Job }) {
  const { kind, blocked, failed, problems } = job;
  if (kind === IMPORT && !isUnderWay(job) && blocked + failed > 0) return <LeftLines job={job} />;
  return problems.length > 0 ? <Refused job={job} /> : null;
}

function JobFacts({ job }: { readonly job: Job }) {
  const words = useWords("jobs");
  const format = useFormat();
  const { facts } = words;
  const { kind, matched, affected, blocked, failed, error, undoUntil, undoneBy, undoes } = job;
  const counts: readonly (readonly [string, number])[] =
    kind === IMPORT
      ? [
          [facts.created, affected - matched + blocked],
          [facts.updated, matched - blocked],
          [facts.skipped, blocked],
          [facts.failed, failed],
        ]
      : kind === GENERATE
        ? [
            [facts.created, affected],
            [facts.skipped, blocked],
            [facts.failed, failed],
          ]
        : [
            [facts.matched, matched],
            [facts.changed, affected],
            [facts.blocked, blocked],
            [facts.failed, failed],
          ];
  const jobLink = (id: number) => (id === 0 ? undefined : <Link href={`/jobs/${id}`}>{words.jobLink(id)}</Link>);
  return (
    <Facts
      items={[
        ...counts.map(([label, value]) => ({ label, value: format.number(value) })),
        { label: facts.error, value: error === "" || error === "cancelled" ? undefined : <bdi>{error}</bdi> },
        { label: facts.by, value: <Name>{job.actor}</Name> },
        { label: facts.began, value: <Ago at={job.createdAt} /> },
        { label: facts.ended, value: isUnderWay(job) ? undefined : <Ago at={job.finishedAt} /> },
        { label: facts.undoUntil, value: undoUntil === 0 ? undefined : format.date(undoUntil) },
        { label: facts.undoneBy, value: jobLink(undoneBy) },
        { label: facts.undoes, value: jobLink(undoes) },
      ]}
    />
  );
}
