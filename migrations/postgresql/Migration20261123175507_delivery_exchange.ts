// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123175507_delivery_exchange extends Migration {

  override name = 'Migration20261123175507_delivery_exchange';

  override up(): void | Promise<void> {
    this.addSql(`alter table "deliveries" add "exchange" jsonb null;`);
  }

}
