// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123033155_node_addresses extends Migration {

  override name = 'Migration20261123033155_node_addresses';

  override up(): void | Promise<void> {
    this.addSql(`create table "node_addresses" ("id" text not null, "node_ids" jsonb not null, primary key ("id"));`);
  }

}
