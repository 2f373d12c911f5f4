// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123172119_interface_of_people extends Migration {

  override name = 'Migration20261123172119_interface_of_people';

  override up(): void | Promise<void> {
    this.addSql(`create table \`admin_interfaces\` (\`id\` integer not null primary key, \`value\` json not null, \`updated_at\` bigint not null);`);

    this.addSql(`create index \`changes_entity_id_time_id_index\` on \`changes\` (\`entity_id\`, \`time\`, \`id\`);`);

    this.addSql(`create index \`events_subject_time_id_index\` on \`events\` (\`subject\`, \`time\`, \`id\`);`);
  }

}
