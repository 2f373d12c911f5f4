// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128083127_text_queue extends Migration {

  override name = 'Migration20261128083127_text_queue';

  override up(): void | Promise<void> {
    this.addSql(`create table \`user_text_queue\` (\`id\` integer not null primary key, \`text\` text not null);`);
  }

}
