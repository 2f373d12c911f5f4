// Which inbounds each template carries, in memory: an account that names its inbounds is served by those of its
// templates that carry one of them, and by no other.
//
// Read with the accounts and kept by the row changes of every commit. What a commit said while the table was being read
// is newer than what was read.
import { sql, type Reader, type RowChange } from "../../db/index.ts";
import { TemplateRows } from "../../pool/index.ts";

const NONE: ReadonlySet<number> = new Set();

/** Templates with the inbounds that they carry now; none: it is gone. */
export type CarriedNow = ReadonlyMap<number, ReadonlySet<number>>;

export class TemplateInbounds {
  readonly #carried = new Map<number, ReadonlySet<number>>();
  /** What commits said while the table was being read. */
  #told: Set<number> | undefined;

  /** The templates that are known. */
  get ids(): Iterable<number> {
    return this.#carried.keys();
  }

  /** Whether a template carries one of these inbounds. */
  carries(templateId: number, inbounds: Iterable<number>): boolean {
    const carried = this.#carried.get(templateId) ?? NONE;
    for (const id of inbounds) if (carried.has(id)) return true;
    return false;
  }

  /** What a row change says of a template; undefined for changes of other tables. */
  told({ table, id, after }: RowChange): readonly [number, ReadonlySet<number>] | undefined {
    if (table !== TemplateRows.name) return undefined;
    this.#told?.add(Number(id));
    return [Number(id), new Set(after?.["inboundIds"] as readonly number[] | undefined)];
  }

  /** The whole table: those that differ from what is known. */
  async read(reads: Reader): Promise<CarriedNow> {
    const told = (this.#told = new Set());
    const rows = await reads.query<{ id: number; inbound_ids: string | number[] }>(
      sql`select id, inbound_ids from templates`,
    );
    const now = new Map<number, ReadonlySet<number>>();
    for (const { id, inbound_ids: ids } of rows)
      now.set(id, new Set(typeof ids === "string" ? (JSON.parse(ids) as number[]) : ids));
    for (const id of this.#carried.keys()) if (!now.has(id)) now.set(id, NONE);
    for (const id of told) now.delete(id);
    this.#told = undefined;
    return now;
  }

  /** Takes it in; whoever keeps sets by it is told by the caller. */
  set(now: CarriedNow): void {
    for (const [id, inbounds] of now) {
      if (inbounds.size > 0) this.#carried.set(id, inbounds);
      else this.#carried.delete(id);
    }
  }
}
