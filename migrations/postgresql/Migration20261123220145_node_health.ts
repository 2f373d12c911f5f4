// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123220145_node_health extends Migration {

  override name = 'Migration20261123220145_node_health';

  override up(): void | Promise<void> {
    this.addSql(`create table "node_day_readings" ("id" bigint not null, "readings" jsonb not null, primary key ("id"));`);

    this.addSql(`create table "node_hour_readings" ("id" bigint not null, "readings" jsonb not null, primary key ("id"));`);
  }

}
