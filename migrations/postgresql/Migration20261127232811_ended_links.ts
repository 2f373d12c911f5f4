// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261127232811_ended_links extends Migration {

  override name = 'Migration20261127232811_ended_links';

  override up(): void | Promise<void> {
    this.addSql(`create table "ended_links" ("id" text not null, "user_id" bigint not null, "ended_at" bigint not null, primary key ("id"));`);
    this.addSql(`create index "ended_links_ended_at_index" on "ended_links" ("ended_at");`);
  }

}
