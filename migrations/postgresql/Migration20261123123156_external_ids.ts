// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123123156_external_ids extends Migration {

  override name = 'Migration20261123123156_external_ids';

  override up(): void | Promise<void> {
    this.addSql(`alter table "users" add "external_id" text null;`);
    this.addSql(`alter table "users" add constraint "users_external_id_unique" unique ("external_id");`);
  }

}
