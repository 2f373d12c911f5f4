// How the schedule does: when the last archive was made, when the next is due, and why it is late.
import { Alert, Anchor, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "wouter";
import { useFormat } from "../format/use-format.ts";
import { Ago } from "../parts/Ago.tsx";
import { Answer, LoadingLines, type AnswerOf } from "../parts/Answer.tsx";
import { Code, Dim } from "../parts/Names.tsx";
import { useNow } from "../parts/now.ts";
import { Facts, Panel } from "../parts/Record.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { isLate, pageOf, type Backup, type BackupSchedule } from "./backup.ts";
import classes from "./backups.module.css";

interface ScheduleStandingProps {
  readonly schedule: AnswerOf<BackupSchedule>;
  /** Where archives lie; undefined: it is not known here. */
  readonly folder?: string | undefined;
  /** Undefined: there is no archive, or it is not said. */
  readonly newest?: Pick<Backup, "name" | "createdAt"> | undefined;
}

export function ScheduleStanding({ schedule, ...rest }: ScheduleStandingProps) {
  const { standing: words } = useWords("backups");
  const writes = useCan()("backup:write");
  return (
    <Panel
      title={words.title}
      actions={
        writes ? (
          <Anchor component={Link} href="/backups/schedule" size="sm">
            {words.change}
          </Anchor>
        ) : undefined
      }
    >
      <Answer of={schedule} loading={<LoadingLines lines={5} />}>
        {(said) => <Standing schedule={said} {...rest} />}
      </Answer>
    </Panel>
  );
}

interface StandingProps extends Omit<ScheduleStandingProps, "schedule"> {
  readonly schedule: BackupSchedule;
}

function Standing({ schedule, folder, newest }: StandingProps) {
  const { standing: words } = useWords("backups");
  const format = useFormat();
  const { enabled, intervalHours, keep, dir, includeHistory, includeAudit, passphraseSet, rehearse, nextDue } =
    schedule;
  const hours = intervalHours === 0 ? 24 : intervalHours;
  const holds = includeHistory
    ? includeAudit
      ? words.everything
      : words.withHistory
    : includeAudit
      ? words.withAudit
      : words.recordsOnly;
  return (
    <div className={classes["standing"]}>
      <Trouble schedule={schedule} />
      <div className={classes["columns"]}>
        <Facts
          items={[
            {
              label: words.last,
              value: newest ? (
                <Anchor component={Link} href={pageOf(newest.name)} inherit>
                  <Ago at={newest.createdAt} />
                </Anchor>
              ) : (
                words.none
              ),
            },
            { label: words.next, value: enabled && nextDue !== null ? <Ago at={nextDue} /> : <Dim>{words.off}</Dim> },
            { label: words.every, value: enabled ? words.hours(hours, format.number(hours)) : undefined },
            { label: words.keep, value: keep === 0 ? words.keepAll : words.keepSome(keep, format.number(keep)) },
          ]}
        />
        <Facts
          items={[
            { label: words.folder, value: <Code>{folder ?? dir}</Code> },
            { label: words.holds, value: holds },
            { label: words.encrypted, value: passphraseSet ? words.withPassphrase : words.open },
            { label: words.rehearsed, value: rehearse ? words.each : words.notRehearsed },
          ]}
        />
      </div>
    </div>
  );
}

function Trouble({ schedule }: { readonly schedule: BackupSchedule }) {
  const { standing: words } = useWords("backups");
  const format = useFormat();
  const now = useNow(60);
  const { enabled, nextDue, lastResult } = schedule;
  const icon = <IconAlertTriangle size={18} aria-hidden />;
  if (lastResult && !lastResult.ok)
    return (
      <Alert color="red" variant="light" role="status" icon={icon} title={words.failed}>
        <Text size="sm">
          <Ago at={lastResult.at} />: <bdi lang="en">{lastResult.error}</bdi>
        </Text>
        {enabled ? <Text size="sm">{words.again}</Text> : null}
      </Alert>
    );
  if (!enabled)
    return (
      <Alert color="yellow" variant="light" role="status" icon={icon} title={words.off}>
        {words.offText}
      </Alert>
    );
  if (nextDue !== null && isLate(schedule, now))
    return (
      <Alert color="yellow" variant="light" role="status" icon={icon} title={words.late}>
        {words.lateText(format.relative(nextDue - now))}
      </Alert>
    );
  return null;
}
