// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123000307_usage_ledgers extends Migration {

  override name = 'Migration20261123000307_usage_ledgers';

  override up(): void | Promise<void> {
    this.addSql(`create table "usage_ledgers" ("id" text not null, "node_id" bigint not null, "begun_at" bigint not null, primary key ("id"));`);
    this.addSql(`create index "usage_ledgers_node_id_begun_at_index" on "usage_ledgers" ("node_id", "begun_at");`);
  }

}
