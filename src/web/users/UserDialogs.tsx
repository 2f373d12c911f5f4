// The questions before an account is renewed, extended, reset or deleted, and its QR code over the screen: one at a
// time, wherever they were asked for.
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { panelNow } from "../parts/now.ts";
import { QrFullScreen } from "../parts/QrCode.tsx";
import { useWords } from "../words/words.ts";
import { ExtendDialog } from "./ExtendDialog.tsx";
import { RenewDialog } from "./RenewDialog.tsx";
import { RotateDialog } from "./RotateDialog.tsx";
import type { User } from "./user.ts";
import { useUserVerbs } from "./use-user-verbs.ts";

export interface Asked {
  /** `stays`: switched on, and its limits keep it off. */
  readonly what: "renew" | "extend" | "rotate" | "stays" | "reset" | "remove" | "qr";
  readonly user: User;
}

interface UserDialogsProps {
  readonly asked: Asked | undefined;
  readonly onClose: () => void;
  readonly onRemoved?: () => void;
}

export function UserDialogs({ asked, onClose, onRemoved }: UserDialogsProps) {
  const words = useWords("users");
  const format = useFormat();
  const verbs = useUserVerbs();
  if (!asked) return null;
  const { what, user } = asked;
  const shared = { opened: true, onClose };
  switch (what) {
    case "qr":
      return <QrFullScreen {...shared} value={user.subUrl} label={user.name} />;
    case "renew":
    case "stays":
      return <RenewDialog key={`${what} ${user.id}`} user={user} stays={what === "stays"} onClose={onClose} />;
    case "extend":
      return <ExtendDialog key={`${what} ${user.id}`} user={user} onClose={onClose} />;
    case "rotate":
      return <RotateDialog key={`${what} ${user.id}`} user={user} onClose={onClose} />;
    case "reset":
      return (
        <ConfirmDialog
          {...shared}
          title={words.resetTitle(user.name)}
          consequence={words.resetText(format.bytes(user.up + user.down))}
          confirm={words.resetUsage}
          run={() => verbs.resetUsage(user)}
        />
      );
    case "remove":
      return (
        <ConfirmDialog
          {...shared}
          danger
          title={words.removeTitle(user.name)}
          consequence={
            <>
              {words.removeText}{" "}
              {user.subFetchedAt > 0
                ? words.removeFetched(format.relative(user.subFetchedAt - panelNow()))
                : words.neverFetched}
            </>
          }
          confirm={words.remove}
          run={async () => {
            await verbs.remove(user);
            onRemoved?.();
          }}
        />
      );
  }
}
