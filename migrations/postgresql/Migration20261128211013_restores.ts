// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128211013_restores extends Migration {

  override name = 'Migration20261128211013_restores';

  static readonly additive = true;

  override up(): void | Promise<void> {
    this.addSql(`create table "restores" ("id" bigint not null, "rev" bigint not null, "mstate" text not null, "mctx" jsonb not null, "mver" bigint not null, "msince" bigint not null, "mlast" bigint null, "due_at" bigint null, "fault_at" bigint null, "fault_count" bigint not null, "fault_message" text not null, "fault_cause" jsonb null, "source" text not null, "archive" text not null, "upload" bigint not null, "fresh" boolean not null, "keep_web_settings" boolean not null, "keep_license" boolean not null, "settings" jsonb not null, "admin_id" bigint not null, "actor" text not null, "via" text not null, "ip" text not null, "snapshot" text not null, "superseded" text not null, "tables" bigint not null, "rows" bigint not null, "warnings" jsonb not null, "foreign_nodes" jsonb not null, "error" text not null, "code" text not null, "running" text null, "told_at" bigint not null, "created_at" bigint not null, "finished_at" bigint not null, primary key ("id"));`);
    this.addSql(`alter table "restores" add constraint "restores_running_unique" unique ("running");`);
    this.addSql(`create index "restores_mstate_msince_id_index" on "restores" ("mstate", "msince", "id");`);
    this.addSql(`create index "restores_faults" on "restores" ("fault_count") where fault_count >= 3;`);
  }

}
