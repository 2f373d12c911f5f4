// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128211703_backup_outcomes extends Migration {

  override name = 'Migration20261128211703_backup_outcomes';

  static readonly additive = true;

  override up(): void | Promise<void> {
    this.addSql(`create table \`backup_orders\` (\`id\` integer not null primary key, \`passphrase\` text not null);`);

    this.addSql(`create table \`backup_outcomes\` (\`id\` text not null primary key, \`at\` bigint not null, \`ok\` integer not null, \`error\` text not null, \`name\` text not null, \`size\` bigint not null);`);
  }

}
