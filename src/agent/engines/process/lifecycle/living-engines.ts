// The living processes of a driver as the live view and the cutter see them.
import type { PortMap } from "../../../net-admin/nft/port-map.ts";
import type { ByteCount } from "../state/counter-tally.ts";
import type { EngineSet } from "./engine-set.ts";
import type { EnginesInView, ListeningInbound } from "../view/engines-in-view.ts";
import type { RunningEngine } from "./running-engine.ts";
import type { OpenInbound } from "../state/driver-state.ts";

const localPortOf = ({ port, inner }: OpenInbound): number => inner ?? port;

export class LivingEngines implements EnginesInView {
  readonly keepsQuicUsers: boolean;
  readonly #set: EngineSet;
  readonly #reopen: (inboundId: number) => Promise<void>;
  /** Engine users who are out, though the serving process still carries them until the next takes over. */
  #leaving: ReadonlySet<string> = new Set();

  constructor(set: EngineSet, keepsQuicUsers: boolean, reopen: (inboundId: number) => Promise<void>) {
    this.#set = set;
    this.keepsQuicUsers = keepsQuicUsers;
    this.#reopen = reopen;
  }

  get portMap(): PortMap | undefined {
    return this.#set.ports.map;
  }

  /** Names that count as not carried from now on, whatever processes carry. */
  leave(names: ReadonlySet<string>): void {
    this.#leaving = names;
  }

  inbounds(): readonly ListeningInbound[] {
    const found = new Map<number, { open: OpenInbound; ports: Set<number>; serving: boolean }>();
    // A port of the serving process is its inbound's alone, whatever a draining one had there.
    const claimed = new Set<number>();
    for (const [index, engine] of this.#engines().entries()) {
      for (const open of engine.record.inbounds) {
        const port = localPortOf(open);
        if (index > 0 && claimed.has(port) && !found.get(open.id)?.ports.has(port)) continue;
        const entry = found.get(open.id) ?? { open, ports: new Set(), serving: false };
        // An inbound may be open in several versions: the current one says what it is.
        if (open.retireAt === undefined && entry.open.retireAt !== undefined) entry.open = open;
        entry.ports.add(port);
        entry.serving ||= engine === this.#set.serving && open.retireAt === undefined;
        claimed.add(port);
        found.set(open.id, entry);
      }
    }
    return [...found.values()].map(
      ({ open: { id, tag, port, networks, fronted, trusting = false, anonymous }, ports, serving }) => ({
        id,
        tag,
        port,
        localPorts: [...ports],
        networks,
        fronted,
        trusting,
        anonymous,
        open: serving,
      }),
    );
  }

  carried(name: string): boolean {
    return !this.#leaving.has(name) && this.#set.serving?.carried.has(name) === true;
  }

  resolve(name: string): string {
    for (const engine of this.#engines()) {
      const user = engine.resolve(name);
      if (user !== name) return user;
    }
    return name;
  }

  total(): Map<string, ByteCount> {
    return this.#set.total();
  }

  async read(timeoutMs: number): Promise<void> {
    await this.#set.read(timeoutMs);
  }

  controls(): ReturnType<EnginesInView["controls"]> {
    return this.#engines().map(({ control, record }) => ({
      control,
      localPortOf: (inboundId) => {
        const versions = record.inbounds.filter(({ id }) => id === inboundId);
        const open = versions.find(({ retireAt }) => retireAt === undefined) ?? versions[0];
        return open && localPortOf(open);
      },
    }));
  }

  async reopen(inboundId: number): Promise<void> {
    await this.#reopen(inboundId);
  }

  #engines(): readonly RunningEngine[] {
    return [...(this.#set.serving ? [this.#set.serving] : []), ...this.#set.draining];
  }
}
