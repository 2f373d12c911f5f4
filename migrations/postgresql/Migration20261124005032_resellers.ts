// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261124005032_resellers extends Migration {

  override name = 'Migration20261124005032_resellers';

  override up(): void | Promise<void> {
    this.addSql(`create table "resellers" ("id" bigint not null, "rev" bigint not null, "mstate" text not null, "mctx" jsonb not null, "mver" bigint not null, "msince" bigint not null, "mlast" bigint null, "due_at" bigint null, "fault_at" bigint null, "fault_count" bigint not null, "fault_message" text not null, "fault_cause" jsonb null, "closed_by" text not null, "cursor" bigint not null, primary key ("id"));`);
    this.addSql(`create index "resellers_mstate_msince_id_index" on "resellers" ("mstate", "msince", "id");`);
    this.addSql(`create index "resellers_faults" on "resellers" ("fault_count") where fault_count >= 3;`);

    this.addSql(`create table "reseller_usage" ("id" bigint not null, "used" bigint not null, "rest" bigint not null, "wake_at" bigint null, primary key ("id"));`);

    this.addSql(`alter table "admins" drop column "used";`);

    this.addSql(`drop index "users_admin_id_index";`);
    this.addSql(`create index "users_admin_id_id_index" on "users" ("admin_id", "id");`);

    this.addSql(`alter table "user_usage" add "admin_id" bigint not null default '0';`);
    this.addSql(`update user_usage set admin_id = u.admin_id from users u where u.id = user_usage.id and u.admin_id <> 0;`);
  }

}
