// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128034241_departures_of_inbounds extends Migration {

  override name = 'Migration20261128034241_departures_of_inbounds';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`departures\` add column \`inbounds\` json null;`);
  }

}
