// The port map as an nft table of its own. Every change is one transaction; changes of one map never overlap.
import PQueue from "p-queue";
import type { Log } from "../../problem-log.ts";
import { nft } from "./nft.ts";
import type { Flow, Guarded, Mapping, PortMap, TargetGuard } from "./port-map.ts";
import {
  closedChange,
  declaration,
  dropChange,
  guardedChange,
  interfaceChange,
  mappingChange,
  PACKET_MARK,
  parseFlows,
  parsePorts,
  replacement,
  tableOf,
  TARGET_MARKS,
} from "./table.ts";

/** A reload of the host's firewall may flush every table; this often it is looked whether ours is still there. */
const LOOK_EVERY_MS = 5000;
/**
 * A list of flows is reused for ten times as long as it took to read, so reading uses at most a tenth of one
 * processor.
 */
const SEEN_FOR = 10;

interface Wanted {
  /** Undefined before the first `set`: the mappings are those of the agent before this one, if any. */
  readonly mappings?: readonly Mapping[];
  /** Undefined before the first `keepClosed`. */
  readonly kept?: readonly number[];
  readonly guard?: TargetGuard;
}

export interface NftPortMapOptions {
  readonly directory: string;
  readonly log: Log;
  /** Group of engines that may not mark the packets they send; undefined: they may. */
  readonly engineGroup?: number;
}

export class NftPortMap implements PortMap {
  readonly packetMark?: number;
  readonly #directory: string;
  readonly #engineGroup: number | undefined;
  readonly #table: string;
  readonly #log: Log;
  #wanted: Wanted = {};
  /**
   * Ports that an earlier agent closed: they stay so until both `set` and `keepClosed` have told all. Undefined: the
   * table was not looked at yet.
   */
  #inherited: readonly number[] | undefined;
  #seen: readonly Flow[] = [];
  #seenUntil = -Infinity;
  /** One step at a time. */
  readonly #steps = new PQueue({ concurrency: 1 });
  #timer: NodeJS.Timeout | undefined;

  /** Does nothing yet: the table of an earlier agent works on. */
  constructor({ directory, log, engineGroup }: NftPortMapOptions) {
    this.#directory = directory;
    this.#table = tableOf(directory);
    this.#log = log;
    this.#engineGroup = engineGroup;
    if (engineGroup === undefined) this.packetMark = PACKET_MARK;
  }

  async guardTargets(guard: TargetGuard): Promise<Guarded> {
    await this.#steps.add(() => this.#become({ ...this.#wanted, guard }, this.#guarding(guard)));
    this.#keepLooking();
    return this.#engineGroup === undefined ? { mark: TARGET_MARKS[guard.privateTargets] } : {};
  }

  async set(mappings: readonly Mapping[]): Promise<void> {
    await this.#steps.add(() => this.#become({ ...this.#wanted, mappings }, mappingChange(this.#table, mappings)));
    this.#keepLooking();
  }

  async keepClosed(inner: readonly number[]): Promise<void> {
    await this.#steps.add(() => this.#become({ ...this.#wanted, kept: inner }, ""));
  }

  async dropFlows(flows: readonly Flow[], seconds: number): Promise<void> {
    if (flows.length === 0) return;
    await this.#steps.add(() => this.#become(this.#wanted, dropChange(this.#table, flows, seconds)));
    this.#seenUntil = -Infinity;
  }

  async flows(localPorts: ReadonlySet<number>, fresh = false): Promise<readonly Flow[]> {
    if (localPorts.size === 0) return [];
    const seen = await this.#steps.add(async () => {
      if (fresh || performance.now() > this.#seenUntil) await this.#see();
      return this.#seen;
    });
    return seen.filter(({ localPort }) => localPorts.has(localPort));
  }

  async remove(): Promise<void> {
    this.detach();
    await this.#steps.add(async () => {
      await nft(replacement(this.#table));
      this.#wanted = {};
      this.#inherited = undefined;
    });
  }

  detach(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #see(): Promise<void> {
    if (this.#inherited === undefined) await this.#become(this.#wanted, "");
    const begin = performance.now();
    // One set a time: nft reads only what the last of several lists names.
    const listings = await Promise.all([4, 6].map(async (family) => nft(`list set ${this.#table} flows${family}\n`)));
    const end = performance.now();
    this.#seen = listings.flatMap(parseFlows);
    this.#seenUntil = end + SEEN_FOR * (end - begin);
  }

  /** Carries out `change` together with what follows from `wanted` for the closed ports. */
  async #become(wanted: Wanted, change: string): Promise<void> {
    const first = this.#inherited === undefined;
    const inherited = this.#inherited ?? (await this.#closedBefore());
    const words = change + this.#closing(wanted, inherited);
    if (first) await this.#declare(words);
    // The table may have been taken away; with its declaration the change works on whatever is there.
    else await nft(words).catch(() => this.#declare(this.#mapping(wanted) + words));
    this.#wanted = wanted;
    this.#inherited = inherited;
  }

  async #declare(words: string): Promise<void> {
    try {
      await nft(this.#declaration() + words);
    } catch (error) {
      // A table that another version made may not take our rules. Where even a new one fails, the first reason is the
      // better one.
      await nft(replacement(this.#table) + this.#declaration() + words).catch(() => {
        throw error;
      });
      this.#log("info", "the port map was made anew", { reason: String(error) });
    }
  }

  #declaration(): string {
    return declaration(this.#table, this.#directory, this.#engineGroup);
  }

  #guarding(guard: TargetGuard): string {
    return this.#engineGroup === undefined
      ? interfaceChange(this.#table, guard.interfaces)
      : guardedChange(this.#table, guard);
  }

  #mapping({ mappings, guard }: Wanted): string {
    const guarded = guard === undefined ? "" : this.#guarding(guard);
    return guarded + (mappings === undefined ? "" : mappingChange(this.#table, mappings));
  }

  #closing({ mappings, kept }: Wanted, inherited: readonly number[]): string {
    const before = mappings === undefined || kept === undefined ? inherited : [];
    return closedChange(this.#table, [...before, ...(kept ?? []), ...(mappings ?? []).map(({ inner }) => inner)]);
  }

  async #closedBefore(): Promise<number[]> {
    return parsePorts(await nft(`list set ${this.#table} closed\n`).catch(() => ""));
  }

  #keepLooking(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  #look(): void {
    this.#steps
      .add(async () => {
        if (this.#timer === undefined || (await this.#isThere())) return;
        await nft(
          this.#declaration() + this.#mapping(this.#wanted) + this.#closing(this.#wanted, this.#inherited ?? []),
        );
        this.#log("warn", "the port map had been taken away, as a reload of the firewall does, and was made again");
      })
      .catch((error: unknown) =>
        this.#log("error", "the port map is gone and could not be made again", { error: String(error) }),
      );
  }

  async #isThere(): Promise<boolean> {
    return nft(`list chain ${this.#table} arriving\n`).then(
      () => true,
      () => false,
    );
  }
}
