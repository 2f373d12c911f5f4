// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261124044559_deleted_users extends Migration {

  override name = 'Migration20261124044559_deleted_users';

  override up(): void | Promise<void> {
    this.addSql(`create table \`deleted_users\` (\`id\` integer not null primary key, \`name\` text not null, \`sub_id\` text not null, \`external_id\` text not null, \`group_label\` text not null, \`admin_id\` bigint not null, \`volume\` bigint not null, \`expiry\` bigint not null, \`used\` bigint not null, \`rev\` bigint not null, \`deleted_at\` bigint not null, \`deleted_by\` text not null, \`account\` json not null);`);
    this.addSql(`create index \`deleted_users_admin_id_id_index\` on \`deleted_users\` (\`admin_id\`, \`id\`);`);
    this.addSql(`create index \`deleted_users_deleted_at_id_index\` on \`deleted_users\` (\`deleted_at\`, \`id\`);`);

    this.addSql(`alter table \`account_days\` add column \`restored\` bigint not null default '0';`);

    this.addSql(`alter table \`deleted_usage\` add column \`admin_id\` bigint not null default '0';`);
    this.addSql(`alter table \`deleted_usage\` add column \`kept_until\` bigint not null default '0';`);
    this.addSql(`create index \`deleted_usage_counted_at_index\` on \`deleted_usage\` (\`counted_at\`);`);
  }

}
