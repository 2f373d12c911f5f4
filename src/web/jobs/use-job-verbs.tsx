// What can be done with a job: stopping it while it runs, and taking it back for an hour after its end.
import { IconArrowBackUp, IconPlayerStop } from "@tabler/icons-react";
import { useLocation } from "wouter";
import { call } from "../api/call.ts";
import { useNow } from "../parts/now.ts";
import { useVerbs, type Verbs } from "../parts/use-verbs.tsx";
import { useWritesUsers } from "../session/writes-users.ts";
import { useWords } from "../words/words.ts";
import type { Words } from "../words/language.ts";
import { GENERATE, IMPORT, isUnderWay, JOBS, workText, type Job } from "./job.ts";

const icon = { size: 16, "aria-hidden": true } as const;

/** What taking it back does. */
function undoText({ kind }: Job, { undoText: text, undoMade }: Words["jobs"]): string {
  return kind === IMPORT || kind === GENERATE ? `${undoMade} ${text}` : text;
}

export function useJobVerbs(): Verbs<Job> {
  const words = useWords("jobs");
  const writes = useWritesUsers();
  const now = useNow(15);
  const [, navigate] = useLocation();
  return useVerbs<Job>(JOBS, {
    verbs: (job) => [
      writes &&
        isUnderWay(job) && {
          id: "cancel",
          label: words.cancel,
          icon: <IconPlayerStop {...icon} />,
          button: true,
          confirm: { title: words.cancelTitle(workText(job, words)), text: words.cancelText },
          act: async () => ({
            record: await call<Job>("POST", `/jobs/${job.id}/cancel`),
            said: words.cancelled,
          }),
        },
      writes &&
        job.undoUntil > now && {
          id: "undo",
          label: words.undo,
          icon: <IconArrowBackUp {...icon} />,
          button: true,
          confirm: { title: words.undoTitle(workText(job, words)), text: undoText(job, words) },
          act: async () => {
            const { job: undoing } = await call<{ job: number }>("POST", `/jobs/${job.id}/undo`);
            navigate(`/jobs/${undoing}`);
            return { said: words.undoing };
          },
        },
    ],
  });
}
