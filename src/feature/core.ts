// What the panel gives to every feature: `Ground` while it provides, before anybody asks anybody, and `Core` when it
// opens.
import type { Logger } from "pino";
import type { AnyEntity, Committer, Database, Follower, Processes, Reader } from "../db/index.ts";
import type {
  ClosedPlace,
  FurtherListener,
  FurtherPlace,
  Proofs,
  ProxiedOrigin,
  UntrustedProxies,
} from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { PublicAddress } from "../lib/public-address.ts";
import type { Signals } from "../lib/signals.ts";
import type { Outgoing } from "../outgoing/index.ts";
import type { Outbox, Shards, Supervisor } from "../runtime/index.ts";
import type { EventEntries } from "./events.ts";
import type { Restores } from "./feature.ts";
import type { SettingsReader } from "./settings.ts";

/** How a panel ends: it stops, or it restarts immediately (then local agents keep running). */
export type Ending = "stop" | "restart";

/** What was started, ended in the reverse order. */
export type Undo = ((how: Ending) => Promise<unknown> | void)[];

/** The process's variables, as far as features read them. */
export interface Surroundings {
  readonly dataDirectory: string;
  /** `sqlite:<file>` or `postgresql://…`. */
  readonly databaseUrl: string;
  readonly listen: { readonly text: string } | undefined;
  readonly setupToken: string | undefined;
  readonly engine: string;
  readonly privateTargets: "block" | "allow";
  readonly maxNodeGbps: number;
  /** The panel's own files and directories, which are never published. */
  readonly privatePlaces: readonly string[];
}

/** The program that runs. */
export interface Program {
  readonly version: string;
  readonly commit: string;
  /** How to start it: the executable and the file of the `signalbox` command. */
  readonly command: readonly [string, ...string[]];
  /** Where its package lies. */
  readonly root: string;
  /** Where copies of it lie for those who may not read the package. */
  readonly stage: string;
}

/** `S`: the settings that the feature reads. */
export interface Ground<in S extends string = never> {
  readonly environment: Surroundings;
  readonly program: Program;
  readonly log: Logger;
  readonly clock: Clock;
  /** What the panel's parts tell those who watch. */
  readonly signals: Signals;
  /** This is the only process on its database. */
  readonly alone: boolean;
  readonly secretKey: Uint8Array;
  readonly database: Database;
  /** Every table of the features, with what its columns and archives say of it. */
  readonly entities: readonly AnyEntity[];
  /** See `StaticPart.restored`, `StaticPart.admits`: of all features. */
  readonly restores: Restores;
  readonly commits: Committer;
  readonly reads: Reader;
  readonly settings: SettingsReader<S>;
  /** Every event that can be raised, of all features. */
  readonly catalogue: EventEntries;
  /** Takes the way to end what the feature began. */
  readonly undo: Undo;
}

/** What the process listens on besides its main listener. */
export interface Listeners {
  /**
   * Listens at a further place until it is closed, or the panel ends. Rejects where it cannot be listened on, or where
   * another program is reached there.
   */
  open(place: FurtherPlace): Promise<FurtherListener>;
  /** Proofs for certificate authorities, answered by every listener that is open for them. */
  readonly proofs: Pick<Proofs, "addText" | "addCertificate">;
}

/** The ports of `sub_listen`. */
export interface SubListen {
  /** Why this process could not listen on what a value says; undefined: nothing is in the way. */
  obstacle(value: string): Promise<ClosedPlace | undefined>;
  /** Resolves when what was committed before is open, or was tried. */
  settled(): Promise<void>;
  /** Places that this process should listen on and does not. */
  closed(): readonly ClosedPlace[];
}

/** `E`: the events that the feature raises. */
export interface Core<in S extends string = never, in E extends string = never> extends Ground<S> {
  readonly outbox: Outbox<E>;
  /** The one way to addresses that somebody typed. */
  readonly outgoing: Outgoing;
  readonly supervisor: Supervisor;
  readonly shards: Shards;
  /** The processes on the database; undefined where no other can be. */
  readonly processes: Processes | undefined;
  readonly follower: Follower | undefined;
  /** Resolves when what other processes committed before is known here; undefined where there are none. */
  readonly caughtUp: () => Promise<void> | undefined;
  /** Asks for a restart of the panel in its process. */
  readonly restart: () => void;
  /** Why the listener could not begin after a restart; undefined: nothing is in the way. */
  readonly listenerObstacle: () => Promise<string | undefined>;
  readonly listeners: Listeners;
  readonly subListen: SubListen;
  /** Proxies that name their visitors and are not believed. */
  readonly untrustedProxies: Pick<UntrustedProxies, "busiest">;
  /** Where the panel is reached, as far as settings and the proxy before a request say. */
  readonly publicAddress: (proxied?: ProxiedOrigin) => PublicAddress;
  /** Waits so many milliseconds, or until it is told to stop; a timer unless a test says otherwise. */
  readonly pause: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}
