// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128141352_staged_files extends Migration {

  override name = 'Migration20261128141352_staged_files';

  static readonly additive = true;

  override up(): void | Promise<void> {
    this.addSql(`create table \`staged_files\` (\`id\` text not null primary key, \`kind\` text not null, \`name\` text not null, \`arch\` text not null, \`version\` text not null, \`size\` bigint not null, \`sha256\` text not null, \`signature\` text not null, \`created_at\` bigint not null);`);
    this.addSql(`create index \`staged_files_sha256_index\` on \`staged_files\` (\`sha256\`);`);

    this.addSql(`create table \`staged_parts\` (\`id\` text not null primary key, \`sha256\` text not null, \`written_at\` bigint not null, \`data\` blob not null);`);
  }

}
