// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128211013_restores extends Migration {

  override name = 'Migration20261128211013_restores';

  static readonly additive = true;

  override up(): void | Promise<void> {
    this.addSql(`create table \`restores\` (\`id\` integer not null primary key, \`rev\` bigint not null, \`mstate\` text not null, \`mctx\` json not null, \`mver\` bigint not null, \`msince\` bigint not null, \`mlast\` bigint null, \`due_at\` bigint null, \`fault_at\` bigint null, \`fault_count\` bigint not null, \`fault_message\` text not null, \`fault_cause\` json null, \`source\` text not null, \`archive\` text not null, \`upload\` bigint not null, \`fresh\` integer not null, \`keep_web_settings\` integer not null, \`keep_license\` integer not null, \`settings\` json not null, \`admin_id\` bigint not null, \`actor\` text not null, \`via\` text not null, \`ip\` text not null, \`snapshot\` text not null, \`superseded\` text not null, \`tables\` bigint not null, \`rows\` bigint not null, \`warnings\` json not null, \`foreign_nodes\` json not null, \`error\` text not null, \`code\` text not null, \`running\` text null, \`told_at\` bigint not null, \`created_at\` bigint not null, \`finished_at\` bigint not null);`);
    this.addSql(`create unique index \`restores_running_unique\` on \`restores\` (\`running\`);`);
    this.addSql(`create index \`restores_mstate_msince_id_index\` on \`restores\` (\`mstate\`, \`msince\`, \`id\`);`);
    this.addSql(`create index \`restores_faults\` on \`restores\` (\`fault_count\`) where fault_count >= 3;`);
  }

}
