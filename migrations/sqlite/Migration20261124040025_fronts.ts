// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261124040025_fronts extends Migration {

  override name = 'Migration20261124040025_fronts';

  override up(): void | Promise<void> {
    this.addSql(`create table \`fronts\` (\`id\` integer not null primary key, \`name\` text not null, \`domain\` text not null, \`address\` text not null, \`port\` integer not null, \`sni\` text not null, \`path\` text not null, \`remark\` text not null, \`enabled\` integer not null, \`client_header\` text not null, \`inbound_ids\` json not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);

    this.addSql(`alter table \`inbounds\` add column \`front_ids\` json not null default '[]';`);
  }

}
