// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261124035958_inbound_lists extends Migration {

  override name = 'Migration20261124035958_inbound_lists';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`plans\` add column \`inbound_ids\` json null;`);

    this.addSql(`alter table \`users\` add column \`inbound_ids\` json null;`);
    this.addSql(`create index \`users_inbounds\` on \`users\` (\`id\`) where inbound_ids is not null;`);
  }

}
