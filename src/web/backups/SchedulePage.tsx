// The schedule of backups: when archives are made, where they lie and how long, and what is in them.
import { Alert } from "@mantine/core";
import { useApi } from "../api/queries.ts";
import { call } from "../api/call.ts";
import { sayDone } from "../browser/toasts.tsx";
import { usePageTitle } from "../browser/title.ts";
import { Answer, LoadingLines } from "../parts/Answer.tsx";
import type { FieldGroup } from "../parts/form/field.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { PageHead } from "../parts/Record.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { useQueryClient } from "@tanstack/react-query";
import type { BackupSchedule } from "./backup.ts";
import { ScheduleStanding } from "./ScheduleStanding.tsx";
import classes from "./backups.module.css";

/** What the route takes, and the passphrase a second time. */
interface ScheduleBody {
  readonly enabled: boolean;
  readonly intervalHours: number;
  readonly dir: string;
  readonly keep: number;
  readonly includeHistory: boolean;
  readonly includeAudit: boolean;
  readonly rehearse: boolean;
  readonly passphrase: string;
  readonly again: string;
  readonly clearPassphrase: boolean;
}

const PATH = "/backups/schedule";

export default function SchedulePage() {
  const words = useWords("backups");
  const writes = useCan()("backup:write");
  const schedule = useApi<BackupSchedule>(PATH);
  usePageTitle(words.schedule.title);
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.schedule.title} back={{ href: "/backups", label: words.title }} />
      {writes ? (
        <Answer of={schedule} loading={<LoadingLines lines={8} />}>
          {(said) => <ScheduleForm schedule={said} />}
        </Answer>
      ) : (
        <div className={classes["page"]}>
          <Alert color="gray" variant="light">
            {words.schedule.readOnly("backup:write")}
          </Alert>
          <ScheduleStanding schedule={schedule} />
        </div>
      )}
    </div>
  );
}

function ScheduleForm({ schedule }: { readonly schedule: BackupSchedule }) {
  const words = useWords("backups");
  const queries = useQueryClient();
  const { enabled, intervalHours, dir, keep, includeHistory, includeAudit, rehearse } = schedule;
  const fields = { enabled, intervalHours, dir, keep, includeHistory, includeAudit, rehearse };
  const form = useRecordForm<ScheduleBody, BackupSchedule>({
    draft: "backups/schedule",
    initial: { ...fields, passphrase: "", again: "", clearPassphrase: false },
    secrets: ["passphrase", "again"],
    check: ({ passphrase, again, clearPassphrase }) =>
      clearPassphrase === true || passphrase === again ? {} : { again: words.passphrase.differs },
    save({ again: _, passphrase, ...changed }) {
      const given = changed.clearPassphrase === true || passphrase === undefined ? {} : { passphrase };
      return call<BackupSchedule>("PUT", PATH, { body: { ...changed, ...given } });
    },
    onDone(saved) {
      queries.setQueryData([PATH, {}], saved);
      void queries.invalidateQueries({ queryKey: ["/backups"] });
      sayDone(words.schedule.saved);
    },
  });
  return <SchemaForm form={form} groups={useGroups(schedule)} />;
}

function useGroups({ passphraseSet }: BackupSchedule): readonly FieldGroup<ScheduleBody>[] {
  const { schedule: words, passphrase } = useWords("backups");
  const stays = { ...(passphraseSet && { placeholder: words.leave }) };
  return [
    {
      title: words.when,
      fields: [
        { name: "enabled", kind: "switch", label: words.enabled, wide: true },
        { name: "intervalHours", kind: "number", label: words.interval, zero: words.intervalZero },
        { name: "keep", kind: "number", label: words.keep, zero: words.keepZero, help: words.keepHelp },
        { name: "dir", kind: "text", label: words.dir, help: words.dirHelp, code: true, wide: true },
      ],
    },
    {
      title: words.what,
      fields: [
        { name: "includeHistory", kind: "switch", label: words.history },
        { name: "includeAudit", kind: "switch", label: words.audit },
        { name: "rehearse", kind: "switch", label: words.rehearse, help: words.rehearseHelp, wide: true },
      ],
    },
    {
      title: words.protection,
      text: `${words.protectionText} ${passphrase.lost}`,
      fields: [
        {
          name: "passphrase",
          kind: "secret",
          label: passphrase.label,
          ...stays,
          when: (values) => values["clearPassphrase"] !== true,
        },
        {
          name: "again",
          kind: "secret",
          label: passphrase.again,
          when: (values) => values["clearPassphrase"] !== true,
        },
        {
          name: "clearPassphrase",
          kind: "switch",
          label: words.clear,
          help: words.clearHelp,
          wide: true,
          when: () => passphraseSet,
        },
      ],
    },
  ];
}
