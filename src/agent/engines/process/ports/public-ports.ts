// Which inbounds stand behind the kernel's port map, on which inner ports, and the map itself as the living processes
// ask for it.
import type { Guarded, Mapping, PortMap, TargetGuard } from "../../../net-admin/nft/port-map.ts";
import type { Abilities, CompiledInbound, PopulatedInbound } from "../dialect.ts";
import { innerPorts } from "./ports.ts";
import type { OpenInbound } from "../state/driver-state.ts";
import { type AgentNotice, hostNotice } from "../../../notices.ts";

/** What decides whether an inbound stands behind the map. */
type Exposed = Pick<CompiledInbound, "networks" | "cutByClosing">;

/** Where an inbound listens: on its public port, or on an inner one behind the port map. */
export interface Place {
  readonly listen: string;
  readonly port: number;
  readonly inner: number | undefined;
}

export class PublicPorts {
  readonly #abilities: Abilities;
  readonly #open: () => Promise<PortMap | undefined>;
  #map: Promise<PortMap | undefined> | undefined;
  #opened: PortMap | undefined;
  readonly #told = new Map<string, string>();
  #guarded: Guarded | undefined;

  /**
   * `open`: asks the kernel for the map; undefined when the agent may not or cannot. Called once, when it is first
   * needed.
   */
  constructor(abilities: Abilities, open: () => Promise<PortMap | undefined>) {
    this.#abilities = abilities;
    this.#open = open;
  }

  get map(): PortMap | undefined {
    return this.#opened;
  }

  /** Opens the map if one of these inbounds has use for it. */
  async prepare(inbounds: readonly Exposed[]): Promise<void> {
    if (inbounds.some((inbound) => this.#wants(inbound))) await this.open();
  }

  async open(): Promise<void> {
    this.#map ??= this.#open();
    this.#opened = await this.#map;
  }

  /** Whether an inbound is to stand behind the map. */
  isMapped(inbound: Exposed): boolean {
    return this.#opened !== undefined && this.#wants(inbound);
  }

  /** Whether a process can open it while another still has it open. */
  isShareable(inbound: CompiledInbound): boolean {
    return this.#abilities.reusePort || this.isMapped(inbound);
  }

  /** Where inbounds should listen. `taken`: inner ports that processes have. */
  async place(inbounds: readonly PopulatedInbound[], taken: ReadonlySet<number>): Promise<Place[]> {
    const mapped = inbounds.filter(({ inbound }) => this.isMapped(inbound));
    const avoid = new Set([...taken, ...inbounds.map(({ inbound }) => inbound.port)]);
    const inner = await innerPorts(mapped.length, avoid, Math.random);
    const places = new Map(mapped.map(({ inbound }, index) => [inbound.id, inner[index]]));
    return inbounds.map(({ inbound: { id, listen, port } }) => {
      const own = places.get(id);
      return own === undefined
        ? { listen, port, inner: undefined }
        : { listen: innerListen(listen), port: own, inner: own };
    });
  }

  /** Makes the map lead to what the serving process has open. Inner ports of all of it stay closed to the outside. */
  async lead(serving: readonly OpenInbound[], all: readonly OpenInbound[]): Promise<void> {
    await this.keepClosed(innerPortsOf(all));
    // If an inbound has two versions, dial the newer one, which is listed later.
    const newest = new Map(serving.map((open) => [open.id, open]));
    const mappings = [...newest.values()].flatMap((open) => mappingOf(open) ?? []);
    await this.#once("mappings", mappings, async (map) => map.set(mappings));
  }

  async keepClosed(inner: readonly number[]): Promise<void> {
    const closed = [...new Set(inner)].toSorted((a, b) => a - b);
    await this.#once("closed", closed, async (map) => map.keepClosed(closed));
  }

  /** Lets the kernel close what users must not reach. Undefined without the map. */
  async guardTargets(guard: TargetGuard): Promise<Guarded | undefined> {
    await this.#once("guard", guard, async (map) => {
      this.#guarded = await map.guardTargets(guard);
    });
    return this.#opened && this.#guarded;
  }

  /**
   * Entries that the map already has are not sent again: it keeps them itself, and every call waits for the host's
   * nftables.
   */
  async #once(what: string, value: unknown, tell: (map: PortMap) => Promise<void>): Promise<void> {
    const key = JSON.stringify(value);
    if (!this.#opened || this.#told.get(what) === key) return;
    this.#told.delete(what);
    await tell(this.#opened);
    this.#told.set(what, key);
  }

  /** What the lack of the map comes to for these inbounds. */
  warnings(inbounds: readonly CompiledInbound[]): AgentNotice[] {
    const bare = inbounds.filter((inbound) => this.#wants(inbound) && !this.isMapped(inbound));
    if (bare.length === 0) return [];
    const code = this.#abilities.reusePort ? "change_cuts" : "every_change_cuts";
    return [hostNotice(code, ...bare.map(({ tag }) => tag))];
  }

  /** Lets go of the map and leaves it to the next agent. */
  detach(): void {
    this.#opened?.detach();
    this.#opened = undefined;
  }

  /** Takes the map away. */
  async remove(): Promise<void> {
    await this.#opened?.remove();
    this.#told.clear();
    this.#map = undefined;
    this.#opened = undefined;
  }

  #wants({ networks, cutByClosing = false }: Exposed): boolean {
    return !this.#abilities.reusePort || cutByClosing || networks.includes("udp");
  }
}

export function innerPortsOf(inbounds: readonly OpenInbound[]): number[] {
  return inbounds.flatMap(({ inner }) => inner ?? []);
}

function mappingOf({ listen, port, networks, inner }: OpenInbound): Mapping | undefined {
  return inner === undefined ? undefined : { listen, port, networks, inner };
}

/**
 * What comes through the map arrives at the primary address of its interface, so an engine behind it listens on all of
 * the family.
 */
function innerListen(listen: string): string {
  if (listen === "" || listen === "::" || listen === "0.0.0.0") return listen;
  return listen.includes(":") ? "::" : "0.0.0.0";
}
