// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128141643_errands extends Migration {

  override name = 'Migration20261128141643_errands';

  static readonly additive = true;

  override up(): void | Promise<void> {
    this.addSql(`create table \`errands\` (\`id\` text not null primary key, \`kind\` text not null, \`actor_id\` bigint not null, \`lines\` bigint not null, \`home\` text null, \`ticket\` bigint null);`);

    this.addSql(`create table \`errand_lines\` (\`id\` text not null primary key, \`kind\` text not null, \`actor_id\` bigint not null, \`seq\` bigint not null, \`at\` bigint not null, \`level\` text not null, \`code\` text not null, \`args\` json not null, \`text\` text not null);`);
    this.addSql(`create index \`errand_lines_kind_actor_id_seq_index\` on \`errand_lines\` (\`kind\`, \`actor_id\`, \`seq\`);`);

    this.addSql(`alter table \`effects\` add column \`deadline_at\` bigint null;`);
    this.addSql(`alter table \`effects\` add column \`home\` text null;`);
    this.addSql(`create index \`effects_home\` on \`effects\` (\`home\`) where home is not null;`);
  }

}
