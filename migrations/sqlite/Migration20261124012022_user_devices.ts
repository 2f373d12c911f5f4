// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261124012022_user_devices extends Migration {

  override name = 'Migration20261124012022_user_devices';

  override up(): void | Promise<void> {
    this.addSql(`create table \`sub_requests\` (\`id\` integer not null primary key autoincrement, \`user_id\` bigint not null, \`at\` bigint not null, \`ip\` text not null, \`user_agent\` text not null, \`format\` text not null, \`hwid\` text not null, \`status\` bigint not null);`);
    this.addSql(`create index \`sub_requests_user_id_id_index\` on \`sub_requests\` (\`user_id\`, \`id\`);`);

    this.addSql(`create table \`user_devices\` (\`id\` integer not null primary key, \`devices\` json not null, \`refused\` json not null);`);
  }

}
