// The exchange on PostgreSQL: the last statement of the transaction that built the new tables in a schema of their own.
// It puts these tables in place of those in use, and tells every panel on the database.
//
// Invariants:
// - Nothing of the exchange is seen before all of it is committed; where any of it fails, nothing happened.
// - Tables of the processes stay: their leases hold on, tokens of shards grow on, and the note of the exchange is read
//   by every process before it answers the next request.
import { z } from "zod";
import { defineFact } from "../../db/index.ts";

/** The database was exchanged: nothing in memory can be trusted. */
export const RESTORED = defineFact("restored", z.literal(true));

/** Schemas that a restore builds in begin so. */
export const RESTORED_SCHEMA = "signalbox_restoring_";

/** What belongs to processes and not to what they keep. */
const STAYS = ["commit_log", "processes", "shards"] as const;

/** How often the tables are asked for, where others hold some of them and wait for the rest. */
const TRIES = 60;

/**
 * `from`: the schema that was built; `to`: the one in use. `boot`: the process that does it, which need not be told.
 */
export function exchangeStatements(from: string, to: string, boot: string): string[] {
  const [source, target] = [literal(from), literal(to)];
  const stays = STAYS.map(literal).join(", ");
  const note = literal(JSON.stringify({ rows: {}, facts: { [RESTORED.name]: [true] } }));
  return [
    `do $exchange$
declare
  fresh text[]; old text; each record; tries int := 0;
begin
  select array_agg(c.relname::text order by c.relname) into fresh from pg_class c
    where c.relnamespace = ${source}::regnamespace and c.relkind = 'r' and c.relname <> all (array[${stays}]);
  select string_agg(format('%I.%I', ${target}, c.relname), ', ' order by c.relname) into old from pg_class c
    where c.relnamespace = ${target}::regnamespace and c.relkind = 'r' and c.relname = any (fresh);
  loop
    begin
      set local lock_timeout = '2s';
      if old is not null then execute 'lock table ' || old || ' in access exclusive mode'; end if;
      exit;
    exception when lock_not_available or deadlock_detected then
      tries := tries + 1;
      if tries >= ${TRIES} then raise; end if;
      perform pg_sleep(0.05 + random() * 0.1);
    end;
  end loop;
  set local lock_timeout = 0;
  if old is not null then execute 'drop table ' || old; end if;
  for each in select p.oid::regprocedure::text as signature, p.proname as name,
      pg_get_function_identity_arguments(p.oid) as arguments
    from pg_proc p where p.pronamespace = ${source}::regnamespace loop
    execute format('drop function if exists %I.%I(%s)', ${target}, each.name, each.arguments);
    execute format('alter function %s set schema %I', each.signature, ${target});
  end loop;
  for each in select unnest(fresh) as name loop
    execute format('alter table %I.%I set schema %I', ${source}, each.name, ${target});
  end loop;
  execute format('drop schema %I cascade', ${source});
  execute format('insert into %I.commit_log (xid, boot, note) values (pg_current_xact_id()::text::bigint, $1, $2)',
    ${target}) using ${literal(boot)}::text, ${note}::text;
end
$exchange$`,
  ];
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
