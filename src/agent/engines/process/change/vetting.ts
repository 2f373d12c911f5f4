// Caches which parts of a configuration the engine refused, because each check starts a process.
import { type Compiled, type Dialect, digestOf, type PopulatedInbound } from "../dialect.ts";
import { vetFrame, vetInbounds, type Vetted } from "./vet.ts";

export class Vetting {
  readonly #dialect: Dialect;
  readonly #version: string;
  #frame: { digest: string; result: Vetted<Compiled> } | undefined;
  /** Digest of the last set of inbounds to which the engine had no objection. */
  #inbounds: string | undefined;

  /** `version`: another version of the engine is asked again, and takes over from a running one. */
  constructor(dialect: Dialect, version: string) {
    this.#dialect = dialect;
    this.#version = version;
  }

  /** What the engine takes of a frame. Throws when that is nothing. */
  async frame(compiled: Compiled): Promise<Vetted<Compiled>> {
    const digest = digestOf([compiled.frameDigest, this.#version]);
    const coreDigest = digestOf([compiled.coreDigest, this.#version]);
    if (this.#frame?.digest !== digest)
      this.#frame = { digest, result: await vetFrame(this.#dialect, { ...compiled, frameDigest: digest, coreDigest }) };
    const { value, warnings } = this.#frame.result;
    const { frame, frameDigest } = value;
    return { value: { ...compiled, frame, frameDigest, coreDigest: value.coreDigest }, warnings };
  }

  /**
   * The inbounds that the engine takes. Users of inbounds that it took before are not its affair: they were screened.
   */
  async inbounds(compiled: Compiled, inbounds: readonly PopulatedInbound[]): Promise<Vetted<PopulatedInbound[]>> {
    const digest = digestOf([
      compiled.frameDigest,
      inbounds.map(({ inbound: { id, listen, port, body, settings } }) => [id, listen, port, body, settings]),
    ]);
    if (digest === this.#inbounds) return { value: [...inbounds], warnings: [] };
    const result = await vetInbounds(this.#dialect, compiled, inbounds);
    if (result.warnings.length === 0) this.#inbounds = digest;
    return result;
  }
}
