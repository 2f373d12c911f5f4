// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128083127_text_queue extends Migration {

  override name = 'Migration20261128083127_text_queue';

  override up(): void | Promise<void> {
    this.addSql(`create table "user_text_queue" ("id" bigint not null, "text" text not null, primary key ("id"));`);
  }

}
