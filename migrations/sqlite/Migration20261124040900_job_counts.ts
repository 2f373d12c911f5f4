// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261124040900_job_counts extends Migration {

  override name = 'Migration20261124040900_job_counts';

  override up(): void | Promise<void> {
    this.addSql(`create table \`job_counts\` (\`id\` integer not null primary key, \`unfinished\` bigint not null);`);
  }

}
