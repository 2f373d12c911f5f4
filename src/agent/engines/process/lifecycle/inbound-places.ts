// Where the inbounds of a driver's processes listen, and their exchange while a process runs: on the public port, or on
// an inner one behind the port map.
import type { DriverContext } from "../../contract/driver.ts";
import type { PopulatedInbound } from "../dialect.ts";
import { innerPortsOf, type Place, type PublicPorts } from "../ports/public-ports.ts";
import { DRAIN_MS, type Draining } from "./draining.ts";
import type { InboundChange, InboundExchange, RunningEngine } from "./running-engine.ts";
import type { OpenInbound } from "../state/driver-state.ts";

export interface InboundPlacesOptions {
  readonly context: DriverContext;
  readonly ports: PublicPorts;
  readonly draining: Draining;
  /** Every process that lives. */
  engines(): Iterable<RunningEngine>;
  /** Ports of the engines' own interfaces. */
  readonly apiPorts: () => readonly number[];
  /** Called after every change of what is open: writes it down. */
  readonly save: () => void;
}

export class InboundPlaces {
  readonly #options: InboundPlacesOptions;

  constructor(options: InboundPlacesOptions) {
    this.#options = options;
  }

  /** Opens the port map where adopted processes stand behind it. */
  async openMapFor(engines: readonly RunningEngine[]): Promise<void> {
    if (engines.some((engine) => innerPortsOf(engine.record.inbounds).length > 0)) await this.#options.ports.open();
  }

  /** Whether any of the inbounds stands behind the port map. */
  isMapped(inbounds: readonly PopulatedInbound[]): boolean {
    return inbounds.some(({ inbound }) => this.#options.ports.isMapped(inbound));
  }

  /** Whether a second process can open these inbounds while the serving one still has its own. */
  canHandOver(inbounds: readonly PopulatedInbound[]): boolean {
    return inbounds.every(({ inbound }) => this.#options.ports.isShareable(inbound));
  }

  /**
   * A place for each inbound. Before anything listens there, it is closed to connections that do not come through the
   * port map.
   */
  async place(inbounds: readonly PopulatedInbound[]): Promise<Place[]> {
    const { ports, apiPorts } = this.#options;
    const inner = [...this.#options.engines()].flatMap((engine) => innerPortsOf(engine.record.inbounds));
    const places = await ports.place(inbounds, new Set([...apiPorts(), ...inner]));
    await ports.keepClosed([...inner, ...places.flatMap((place) => place.inner ?? [])]);
    return places;
  }

  /** Whether an open inbound can stay as it is. */
  isSettled(open: OpenInbound | undefined, { inbound, digest }: PopulatedInbound): boolean {
    return (
      open !== undefined &&
      open.digest === digest &&
      open.port === inbound.port &&
      open.listen === inbound.listen &&
      (open.inner !== undefined) === this.#options.ports.isMapped(inbound)
    );
  }

  /** Exchanges inbounds of the serving engine live. */
  async change(serving: RunningEngine, wanted: readonly PopulatedInbound[]): Promise<InboundChange> {
    const change = await serving.changeInbounds(wanted, this.#exchange(serving));
    if (serving.retired.length > 0) this.#options.draining.watch();
    return change;
  }

  /** Closes an inbound in every process and opens it again in the serving one: whatever is open on it over UDP ends. */
  async reopen(serving: RunningEngine, populated: PopulatedInbound): Promise<void> {
    const { draining, save } = this.#options;
    for (const engine of draining.engines)
      for (const open of engine.record.inbounds.filter(({ id }) => id === populated.inbound.id))
        await engine.closeInbound(open, save);
    await serving.reopen(populated, this.#exchange(serving));
  }

  #exchange(serving: RunningEngine): InboundExchange {
    const { context, ports, draining, save } = this.#options;
    return {
      place: async (populated) => {
        const [place] = await this.place([populated]);
        if (!place) throw new Error("no place to listen");
        return place;
      },
      settled: (open, populated) => this.isSettled(open, populated),
      save,
      map: async () => leadTo(ports, serving, draining.engines),
      retireAt: () => context.now() + DRAIN_MS,
    };
  }
}

/** Makes the port map lead to this process; inner ports of the others stay closed to the outside. */
export function leadTo(ports: PublicPorts, serving: RunningEngine, others: readonly RunningEngine[]): Promise<void> {
  return ports.lead(
    serving.inbounds,
    [serving, ...others].flatMap(({ record }) => record.inbounds),
  );
}
