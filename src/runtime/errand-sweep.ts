// Forgetting the logs of errands whose actor is gone. Those that are left keep their newest lines (`errand-log.ts`).
import { sql, sweepRows, type Entity, type SweepStore } from "../db/index.ts";
import type { ActorRow } from "./actor.entity.ts";

/** Kinds of actors by name, as far as a sweep must know them. */
type Kinds = ReadonlyMap<string, { readonly definition: { readonly entity: Entity<ActorRow> } }>;

/** To be called hourly. Lines go before the row that names them, so an interrupted sweep goes on with the next one. */
export async function forgetLogs(store: SweepStore, kinds: Kinds): Promise<void> {
  for (const [kind, { definition }] of kinds) {
    const gone = sql`select e.id from errands e where e.kind = ${kind}
      and not exists (select 1 from ${sql.table(definition.entity.name)} u where u.id = e.actor_id)`;
    await sweepRows(store, {
      name: "errand.lines.forget",
      table: "errand_lines",
      alias: "l",
      ids: sql`select l.id from errand_lines l join errands h on h.kind = l.kind and h.actor_id = l.actor_id
        where h.id in (${gone})`,
    });
    await sweepRows(store, { name: "errand.forget", table: "errands", alias: "e", ids: gone });
  }
}
