// Written by hand.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128165000_narrow_credentials extends Migration {

  override name = 'Migration20261128165000_narrow_credentials';

  static readonly additive = true;

  override up(): void | Promise<void> {
    // The key is at random places. A table with row ids would have each row in two trees, and its key twice.
    this.addSql(`create table \`user_credentials_narrow\` (\`id\` text not null primary key, \`user_id\` bigint not null, \`sharers\` bigint not null) without rowid;`);
    this.addSql(`insert into \`user_credentials_narrow\` (\`id\`, \`user_id\`, \`sharers\`) select \`id\`, \`user_id\`, \`sharers\` from \`user_credentials\` order by \`id\`;`);
    this.addSql(`drop table \`user_credentials\`;`);
    this.addSql(`alter table \`user_credentials_narrow\` rename to \`user_credentials\`;`);
    this.addSql(`create index \`user_credentials_shared\` on \`user_credentials\` (\`user_id\`) where sharers > 0;`);
  }

}
