// `sub_listen`: further ports for subscriptions, opened and given up as the setting says, without a restart; and the
// listeners that features open for a time.
import type { Committer } from "../db/index.ts";
import type { Listeners, SettingsReader, SubListen, Undo } from "../feature/index.ts";
import type { Door, FurtherListener } from "../http/index.ts";
import { readListenPlace, type ListenPlace } from "../lib/listen-place.ts";
import { SettingRows } from "../system/index.ts";
import type { Logger } from "pino";

/** An address that another machine may have. */
const NOT_HERE = "EADDRNOTAVAIL";

export interface SubListenOptions {
  readonly door: Door;
  readonly commits: Committer;
  readonly settings: SettingsReader<"sub_listen">;
  readonly log: Logger;
  /** This is the only process on its database. */
  readonly alone: boolean;
  readonly undo: Undo;
}

/** The ports themselves belong to the door, which a restart leaves open. */
export function keepSubListen({ door, commits, settings, log, alone, undo }: SubListenOptions): SubListen & {
  /** Opens what the setting says, now and whenever it is written, by whichever process. */
  begin(): Promise<void>;
} {
  const { subscriptionPorts: ports } = door;
  const told = (place: string, fault: string | undefined): void => {
    if (fault === undefined) log.info({ place }, "subscriptions are answered here too, as sub_listen says");
    else log.error({ place, fault }, "sub_listen names a place that cannot be listened on; it is tried again");
  };
  const follow = () => ports.set(placesOf(settings.text("sub_listen")), told);
  return {
    async begin() {
      const unlisten = commits.onCommit(({ changes }) => {
        if (changes.some(({ table, id }) => table === SettingRows.name && id === "sub_listen")) void follow();
      });
      undo.push(unlisten);
      await follow();
    },
    async obstacle(value) {
      const found = await ports.obstacle(placesOf(value));
      return found?.fault === NOT_HERE && !alone ? undefined : found;
    },
    settled: () => ports.settled(),
    closed: () => ports.closed(),
  };
}

function placesOf(value: string): ListenPlace[] {
  return value.split(",").flatMap((text) => readListenPlace(text) ?? []);
}

/** Lets features open listeners of the door; what they leave open is closed when the panel ends. */
export function lendListeners(door: Door, undo: Undo): Listeners {
  const opened = new Set<FurtherListener>();
  undo.push(() => Promise.all([...opened].map((each) => each.close())));
  return {
    proofs: door.proofs,
    async open(place) {
      const listener = await door.openFurther(place);
      const lent = {
        port: listener.port,
        close: async () => {
          opened.delete(lent);
          await listener.close();
        },
      };
      opened.add(lent);
      return lent;
    },
  };
}
