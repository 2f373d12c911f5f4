// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261127233804_bounds extends Migration {

  override name = 'Migration20261127233804_bounds';

  override up(): void | Promise<void> {
    this.addSql(`create table "uploads" ("id" bigint not null, "uploads" jsonb not null, primary key ("id"));`);

    this.addSql(`drop index "idempotency_records_claimed_at_index";`);
    this.addSql(`alter table "idempotency_records" add "account" bigint not null default '0', add "size" int not null default 0;`);
    this.addSql(`create index "idempotency_records_account_claimed_at_index" on "idempotency_records" ("account", "claimed_at");`);
  }

}
