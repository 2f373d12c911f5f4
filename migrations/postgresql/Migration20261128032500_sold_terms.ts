// A term is what was sold. Older versions took what was left until a date for one, and a renewal sold that remainder
// again. Kept are the terms that a sale proves: those of accounts with a duration, and those of the length of a plan
// that is there. All others are forgotten, whole days too: a script that moves customers in writes `now + 3 days`, and
// what it leaves cannot be told from the term of a plan that is gone. A renewal of a forgotten one is asked for its
// length (409 `no_term`); one of a remainder would be sold wrong without a word.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128032500_sold_terms extends Migration {

  override name = 'Migration20261128032500_sold_terms';

  override up(): void | Promise<void> {
    this.addSql(`update "users" set "term" = 0 where "term" > 0 and "duration" = 0 and "term" not in (select "days" * 86400 from "plans");`);
    // Accounts that may come back.
    this.addSql(`update "deleted_users" set "account" = jsonb_set("account", '{row,term}', '0') where ("account" #>> '{row,term}')::bigint > 0 and ("account" #>> '{row,duration}')::bigint = 0 and ("account" #>> '{row,term}')::bigint not in (select "days" * 86400 from "plans");`);
    // What jobs that may be taken back would write again.
    this.addSql(`update "job_parts" set "content" = (select jsonb_agg("kept"."value" #- '{fields,term}' order by "kept"."place") from jsonb_array_elements("content") with ordinality as "kept" ("value", "place")) where "sort" = 'before' and jsonb_path_exists("content", '$[*].fields.term');`);
  }

}
