// What can be done with an archive in the panel's folder.
import { IconDownload, IconEye, IconFlask, IconRestore, IconTrash } from "@tabler/icons-react";
import { lazy } from "react";
import { call } from "../api/call.ts";
import { useVerbs, type Verbs } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { BACKUPS, fileAddress, pageOf, type Backup } from "./backup.ts";
import { useMayRestore } from "./use-may-restore.ts";

const RehearseDialog = lazy(() => import("./RehearseDialog.tsx"));

const icon = { size: 16, "aria-hidden": true } as const;

/** `leave`: where the page of an archive leads when it is deleted. */
export function useBackupVerbs(leave?: string): Verbs<Backup> {
  const words = useWords("backups");
  const can = useCan();
  const [reads, writes] = [can("backup:read"), can("backup:write")];
  const restores = useMayRestore();
  const listed = leave === undefined;
  return useVerbs<Backup>(BACKUPS, {
    leave,
    verbs: (backup) => [
      listed && {
        id: "preview",
        label: words.verbs.preview,
        icon: <IconEye {...icon} />,
        to: pageOf(backup.name),
      },
      writes && {
        id: "rehearse",
        label: words.verbs.rehearse,
        icon: <IconFlask {...icon} />,
        button: true,
        dialog: (asked) => <RehearseDialog backup={backup} asked={asked} />,
      },
      reads && {
        id: "download",
        label: words.verbs.download,
        icon: <IconDownload {...icon} />,
        button: true,
        act: () => {
          download(backup.name);
          return Promise.resolve(undefined);
        },
      },
      listed &&
        restores && {
          id: "restore",
          label: words.verbs.restore,
          icon: <IconRestore {...icon} />,
          to: `${pageOf(backup.name)}/restore`,
        },
      writes && {
        id: "remove",
        label: words.verbs.remove,
        icon: <IconTrash {...icon} />,
        danger: true,
        confirm: { title: words.removeTitle(backup.name), text: words.removeText },
        act: async () => {
          await call("DELETE", `/backups/${encodeURIComponent(backup.name)}`);
          return { gone: true, said: words.removed(backup.name) };
        },
      },
    ],
  });
}

/** The browser fetches the file itself: it goes straight to the disk, and can be continued. */
function download(name: string): void {
  const link = document.createElement("a");
  link.href = fileAddress(name);
  link.download = name;
  link.click();
}
