// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123222432_account_days extends Migration {

  override name = 'Migration20261123222432_account_days';

  override up(): void | Promise<void> {
    this.addSql(`create table "account_days" ("id" text not null, "day" text not null, "owner" text not null, "created" bigint not null, "deleted" bigint not null, "activated" bigint not null, "expired" bigint not null, "limited" bigint not null, "renewed" bigint not null, "moved" bigint not null, primary key ("id"));`);
    this.addSql(`create index "account_days_day_index" on "account_days" ("day");`);

    this.addSql(`drop index "users_expiry_id_index";`);
    this.addSql(`create index "users_expiry_id_mstate_index" on "users" ("expiry", "id", "mstate");`);
  }

}
