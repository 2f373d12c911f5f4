// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122234842_credentials extends Migration {

  override name = 'Migration20261122234842_credentials';

  override up(): void | Promise<void> {
    this.addSql(`create table \`credential_entry\` (\`id\` integer not null primary key, \`up_to\` bigint not null);`);

    this.addSql(`create table \`shared_credentials\` (\`id\` text not null primary key, \`credential_id\` text not null, \`user_id\` bigint not null);`);
    this.addSql(`create index \`shared_credentials_credential_id_index\` on \`shared_credentials\` (\`credential_id\`);`);

    this.addSql(`create table \`user_credentials\` (\`id\` text not null primary key, \`user_id\` bigint not null, \`sharers\` bigint not null);`);
    this.addSql(`create index \`user_credentials_shared\` on \`user_credentials\` (\`user_id\`) where sharers > 0;`);
  }

}
