// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128140801_node_progress extends Migration {

  override name = 'Migration20261128140801_node_progress';

  static readonly additive = true;

  override up(): void | Promise<void> {
    this.addSql(`create table "node_progress" ("id" bigint not null, "fence" bigint not null, "revision" bigint not null, "applied" bigint not null, "applied_at" bigint not null, "structure" text not null, "users" text not null, primary key ("id"));`);
  }

}
