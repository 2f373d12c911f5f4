// What can be done to one account, in the order of the menu, each with its key.
import {
  IconActivity,
  IconClipboard,
  IconHistory,
  IconLink,
  IconPencil,
  IconPlus,
  IconPower,
  IconQrcode,
  IconRefresh,
  IconRotateClockwise,
  IconTrash,
} from "@tabler/icons-react";
import { lazy } from "react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { copyText } from "../parts/copy.ts";
import { panelNow } from "../parts/now.ts";
import { useVerbs, type Outcome, type RecordKind, type Verb, type Verbs } from "../parts/use-verbs.tsx";
import { useCan, useMe } from "../session/me.ts";
import { useWritesUsers } from "../session/writes-users.ts";
import { sayDone, sayFailed } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import { formatsPath, userPath, verdictPath, type User } from "./user.ts";

const ExtendDialog = lazy(() => import("./ExtendDialog.tsx"));
const RenewDialog = lazy(() => import("./RenewDialog.tsx"));
const RotateDialog = lazy(() => import("./RotateDialog.tsx"));
const QrFullScreen = lazy(() => import("../parts/QrFullScreen.tsx"));

export const USERS: RecordKind<User> = {
  list: "/users",
  name: ({ name }) => name,
  touches: (id) => [
    "/users/summary",
    "/users/deleted",
    formatsPath({ id }),
    verdictPath({ id }),
    `/actors/user/${id}`,
    `/actors/user/${id}/journal`,
  ],
};

const icon = { size: 15, "aria-hidden": true } as const;

/** `leave`: where the page of an account leads when it is deleted. */
export function useUserVerbs(leave?: string): Verbs<User> {
  const words = useWords("users");
  const titles = useWords("titles");
  const parts = useWords("parts");
  const format = useFormat();
  const can = useCan();
  const writes = useWritesUsers();
  // A reseller that sells plans only cannot extend an account, and resets its usage by a renewal.
  const { plansOnly } = useMe();

  const copy = async (user: User): Promise<undefined> => {
    if (await copyText(user.subUrl)) sayDone(`${parts.copied}: ${user.name}`);
    else sayFailed(window.isSecureContext ? parts.copyRefused : parts.copyInsecure, user.subUrl);
  };
  const switchTo = async (user: User, enable: boolean): Promise<Outcome<User>> => {
    const record = await call<User>("PATCH", `/users/${user.id}`, { body: { enable } });
    // Its limits keep it off: what to do about that is asked.
    if (record.enable !== enable) return { record, next: "stays" };
    const said = enable ? words.switchedOn(user.name) : words.switchedOff(user.name);
    return { record, said, undo: () => switchTo(user, !enable) };
  };
  const bringBack = async (user: User): Promise<Outcome<User>> => ({
    record: await call<User>("POST", `/users/${user.id}/restore`),
    said: words.restored(user.name),
  });
  const verbs = (user: User): readonly (Verb<User> | false)[] => [
    { id: "copy", label: words.copyLink, icon: <IconClipboard {...icon} />, key: "c", act: () => copy(user) },
    {
      id: "qr",
      label: words.showQr,
      icon: <IconQrcode {...icon} />,
      key: "q",
      dialog: ({ close }) => <QrFullScreen opened onClose={close} value={user.subUrl} label={user.name} />,
    },
    writes && { id: "edit", label: words.edit, icon: <IconPencil {...icon} />, key: "e", to: userPath(user, "edit") },
    writes && {
      id: "renew",
      label: words.renew,
      icon: <IconRefresh {...icon} />,
      key: "r",
      button: true,
      dialog: (asked) => <RenewDialog user={user} asked={asked} />,
    },
    writes && {
      id: "stays",
      label: words.renew,
      hidden: true,
      dialog: (asked) => <RenewDialog user={user} stays asked={asked} />,
    },
    writes &&
      !plansOnly && {
        id: "extend",
        label: words.extend,
        icon: <IconPlus {...icon} />,
        button: true,
        dialog: (asked) => <ExtendDialog user={user} asked={asked} />,
      },
    writes && {
      id: "rotate",
      label: words.rotate,
      icon: <IconLink {...icon} />,
      dialog: (asked) => <RotateDialog user={user} asked={asked} />,
    },
    writes &&
      !plansOnly && {
        id: "reset",
        label: words.resetUsage,
        icon: <IconRotateClockwise {...icon} />,
        confirm: { title: words.resetTitle(user.name), text: words.resetText(format.bytes(user.up + user.down)) },
        act: async () => ({
          record: await call<User>("POST", `/users/${user.id}/reset-usage`),
          said: words.reset(user.name),
        }),
      },
    writes && {
      id: "switch",
      label: user.enable ? words.switchOff : words.switchOn,
      icon: <IconPower {...icon} />,
      act: () => switchTo(user, !user.enable),
    },
    {
      id: "events",
      label: titles.events,
      icon: <IconHistory {...icon} />,
      to: `/events?entity=user:${user.id}`,
    },
    can("stats:read") && {
      id: "why",
      label: words.inspectWhy,
      icon: <IconActivity {...icon} />,
      key: "w",
      to: `/inspect/user/${user.id}`,
    },
    writes && {
      id: "remove",
      label: words.remove,
      icon: <IconTrash {...icon} />,
      danger: true,
      confirm: {
        title: words.removeTitle(user.name),
        text: `${words.removeText} ${
          user.subFetchedAt > 0
            ? words.removeFetched(format.relative(user.subFetchedAt - panelNow()))
            : words.neverFetched
        }`,
      },
      act: async () => {
        await call("DELETE", `/users/${user.id}`);
        return { gone: true, said: words.removed(user.name), undo: () => bringBack(user) };
      },
    },
  ];
  return useVerbs(USERS, { verbs, leave });
}
