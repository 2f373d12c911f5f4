// What the menu of a user's row offers, each with its key.
import {
  IconActivity,
  IconClipboard,
  IconLink,
  IconPencil,
  IconPlus,
  IconPower,
  IconQrcode,
  IconRefresh,
  IconRotateClockwise,
  IconTrash,
} from "@tabler/icons-react";
import { useLocation } from "wouter";
import { copyText } from "../parts/copy.ts";
import type { RowAction } from "../parts/table/columns.ts";
import { useCan, useMe } from "../session/me.ts";
import { sayDone, sayFailed } from "../shell/toasts.tsx";
import { useWords } from "../words/words.ts";
import { userPath, type User } from "./user.ts";
import type { Asked } from "./UserDialogs.tsx";
import { useUserVerbs } from "./use-user-verbs.ts";

/** Whether the caller may change users. */
export function useWritesUsers(): boolean {
  const can = useCan();
  const { usersReadOnly } = useMe();
  return can("users:write") && !usersReadOnly;
}

/** Whether the caller may add to them: who sells plans only may not. */
export function useExtendsUsers(): boolean {
  const writes = useWritesUsers();
  const { plansOnly } = useMe();
  return writes && !plansOnly;
}

export function useUserActions(ask: (asked: Asked) => void): (user: User) => readonly RowAction[] {
  const words = useWords("users");
  const parts = useWords("parts");
  const can = useCan();
  const writes = useWritesUsers();
  const mayExtend = useExtendsUsers();
  const [, navigate] = useLocation();
  const { switchTo } = useUserVerbs();
  const copy = async (user: User) => {
    if (await copyText(user.subUrl)) sayDone(`${parts.copied}: ${user.name}`);
    else sayFailed(window.isSecureContext ? parts.copyRefused : parts.copyInsecure, user.subUrl);
  };
  const turn = async (user: User) => {
    const switched = await switchTo(user, !user.enable);
    if (switched?.enable === false && !user.enable) ask({ what: "stays", user: switched });
  };
  return (user) => {
    const read: RowAction[] = [
      {
        id: "copy",
        label: words.copyLink,
        icon: <IconClipboard size={15} aria-hidden />,
        key: "c",
        run: () => void copy(user),
      },
      {
        id: "qr",
        label: words.showQr,
        icon: <IconQrcode size={15} aria-hidden />,
        key: "q",
        run: () => ask({ what: "qr", user }),
      },
    ];
    const why: RowAction[] = can("stats:read")
      ? [
          {
            id: "why",
            label: words.inspectWhy,
            icon: <IconActivity size={15} aria-hidden />,
            key: "w",
            run: () => navigate(`/inspect/user/${user.id}`),
          },
        ]
      : [];
    if (!writes) return [...read, ...why];
    return [
      ...read,
      {
        id: "edit",
        label: words.edit,
        icon: <IconPencil size={15} aria-hidden />,
        key: "e",
        run: () => navigate(userPath(user, "edit")),
      },
      {
        id: "renew",
        label: words.renew,
        icon: <IconRefresh size={15} aria-hidden />,
        key: "r",
        run: () => ask({ what: "renew", user }),
      },
      ...(mayExtend
        ? [
            {
              id: "extend",
              label: words.extend,
              icon: <IconPlus size={15} aria-hidden />,
              run: () => ask({ what: "extend", user }),
            },
          ]
        : []),
      {
        id: "rotate",
        label: words.rotate,
        icon: <IconLink size={15} aria-hidden />,
        run: () => ask({ what: "rotate", user }),
      },
      {
        id: "reset",
        label: words.resetUsage,
        icon: <IconRotateClockwise size={15} aria-hidden />,
        run: () => ask({ what: "reset", user }),
      },
      {
        id: "switch",
        label: user.enable ? words.switchOff : words.switchOn,
        icon: <IconPower size={15} aria-hidden />,
        run: () => void turn(user),
      },
      ...why,
      {
        id: "remove",
        label: words.remove,
        icon: <IconTrash size={15} aria-hidden />,
        danger: true,
        run: () => ask({ what: "remove", user }),
      },
    ];
  };
}
