// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123225341_traffic_history extends Migration {

  override name = 'Migration20261123225341_traffic_history';

  override up(): void | Promise<void> {
    this.addSql(`create table \`traffic_chunks\` (\`id\` integer not null primary key autoincrement, \`data\` blob not null);`);

    this.addSql(`create table \`traffic_days\` (\`id\` integer not null primary key, \`passed\` integer not null, \`data\` blob not null);`);

    this.addSql(`create table \`traffic_hours\` (\`id\` integer not null primary key, \`passed\` integer not null, \`data\` blob not null);`);

    this.addSql(`create table \`traffic_months\` (\`id\` integer not null primary key, \`passed\` integer not null, \`data\` blob not null);`);

    this.addSql(`create table \`traffic_open\` (\`id\` integer not null primary key, \`due_at\` bigint not null);`);
    this.addSql(`create index \`traffic_open_due_at_index\` on \`traffic_open\` (\`due_at\`);`);

    this.addSql(`create table \`traffic_turns\` (\`id\` integer not null primary key, \`turn\` bigint not null);`);
  }

}
