// A feature as a value: a static part, which is read without opening anything, and two passes. Every feature first
// provides (of its own tables, asking nobody), then each opens with what all have provided: so features that need each
// other make no circle. The panel (`src/panel/`) knows features by their list alone.
import type { AnyEntity, Draft, Key, Reader, SharedFact, Statement } from "../db/index.ts";
import type { Plugin, Route, Socket, Words } from "../http/index.ts";
import type { ActorKind, ErrandWork, ResidentEffect } from "../runtime/index.ts";
import type { EventEntries } from "./events.ts";
import type { SettingEntries } from "./settings.ts";

/** What a kind of actors may ask of the panel that runs it. */
export interface KindPorts {
  /** The panel's time zone. */
  readonly timeZone: () => string;
  /** A setting as it holds now, by its key. */
  readonly setting: (key: string) => string;
  /** A resident effect that the feature begins once it is open (`Opened.residents`). */
  readonly resident: (name: string) => ResidentEffect["start"];
  /** The work of an errand that the feature carries out once it is open (`Opened.errands`). */
  readonly errand: (name: string) => ErrandWork;
  /** What the feature does in the commit of a step, once it is open (`Opened.follows`). */
  readonly follow: <R>(name: string) => (draft: Draft, row: Readonly<R>) => void;
}

/** Adds to the commit of an actor's step. The row is one of the kind that asked for it, which its feature knows. */
export type Follow = (draft: Draft, row: never) => void;

/** Kinds of actors by name. The rows and contexts of a kind are its own matter. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Kinds = Readonly<Record<string, ActorKind<any, any>>>;

/** Adds to a change what follows from it, within the same commit. */
export interface Consequence {
  readonly table: string;
  /** Called once for each row of the table that the change wrote. */
  record(draft: Draft, id: Key): void;
}

/** A feature at work. `V`: what it does for the panel itself. */
export interface Opened<V extends object = object> {
  readonly routes?: readonly Route[];
  readonly sockets?: readonly Socket[];
  /** What is served in addition to the routes, once setup is finished. */
  readonly plugins?: readonly Plugin[];
  /** The resident effects of its kinds, by the names under which they were asked for. */
  readonly residents?: Readonly<Record<string, ResidentEffect["start"]>>;
  /** The work of its kinds' errands, by the names under which it was asked for. */
  readonly errands?: Readonly<Record<string, ErrandWork>>;
  /** What it adds to commits of its kinds' steps, by the names under which they were asked for. */
  readonly follows?: Readonly<Record<string, Follow>>;
  /** What must be done before any actor moves. */
  readonly prepare?: () => Promise<unknown>;
  /** Starts background work, once actors run. */
  readonly start?: () => void;
  /** Forgets what is past its time. */
  readonly hourly?: () => Promise<unknown>;
  readonly serves?: V;
}

/** When rows come back out of an archive. */
export interface RestoreMoment {
  /** Unix milliseconds. */
  readonly now: number;
  /** Names the restored database's history: no other has it. */
  readonly epoch: string;
}

/** What the features say of rows that come back, together. */
export interface Restores {
  readonly restored: (reads: Reader, moment: RestoreMoment) => readonly Statement[];
  readonly admits: Admittance;
}

/** A query with a row for each account that can sign in and do everything. */
export interface Admittance {
  /** As both databases take it. */
  readonly text: string;
  /** The tables that it reads. */
  readonly tables: readonly string[];
}

/** What may be read of a feature without opening it. */
export interface StaticPart {
  readonly name: string;
  /** Its tables. */
  readonly entities?: readonly AnyEntity[];
  /**
   * What every process on a shared database must receive from the commits of other processes: tables that it caches,
   * and facts that no row contains.
   */
  readonly echo?: {
    readonly tables?: readonly { readonly name: string }[];
    readonly facts?: readonly SharedFact<unknown>[];
  };
  readonly settings?: SettingEntries;
  readonly events?: EventEntries;
  /** What the description of the API says of its fields and parameters, each once. */
  readonly words?: Words;
  readonly consequences?: readonly Consequence[];
  /**
   * Routes that commands of `signalbox` use, as `GET /users`: for them the feature is opened where no panel runs. None
   * asks for more of a request than a command gives (`writeRoute`), and none starts a job: a job goes on in the name
   * of an account, which the command line is not.
   */
  readonly commands?: readonly string[];
  /**
   * What stored configuration says that could reach what belongs to a host or is private there; named in the log at
   * every start.
   */
  readonly forbidden?: (reads: Reader, privateTargets: "block" | "allow") => Promise<string[]>;
  /** What rows need that come back out of an archive, in today's schema; run before anything else reads them. */
  readonly restored?: (reads: Reader, moment: RestoreMoment) => Statement[];
  /** Finds who can sign in and do everything. One feature has it. */
  readonly admits?: Admittance;
  /** What makes good that the clock was set back, from `before` to `after` (Unix milliseconds). */
  readonly clockSetBack?: (reads: Reader, before: number, after: number) => Statement[];
}

/**
 * A feature. What it needs, provides, serves, and which settings and events it may name, follows from the types of its
 * functions; `compose` (`src/panel/`) holds them against each other. A feature is written as `{…} satisfies
 * AnyFeature`, so that nothing of its types is lost.
 */
export interface AnyFeature extends StaticPart {
  readonly kinds?: (ports: KindPorts) => Kinds;
  readonly provide?: (ground: never) => object | Promise<object>;
  readonly open: (core: never, needs: never, kinds: never) => Opened | Promise<Opened>;
}
