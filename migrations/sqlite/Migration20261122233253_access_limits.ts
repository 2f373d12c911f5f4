// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122233253_access_limits extends Migration {

  override name = 'Migration20261122233253_access_limits';

  override up(): void | Promise<void> {
    this.addSql(`create table \`code_attempts\` (\`id\` integer not null primary key, \`tried_at\` json not null, \`known_at\` bigint not null, \`stranger_at\` bigint not null, \`updated_at\` bigint not null);`);

    this.addSql(`alter table \`oidc_providers\` add column \`reach\` json null;`);
    this.addSql(`alter table \`oidc_providers\` add column \`linkings\` bigint not null default '0';`);

    this.addSql(`alter table \`pending_logins\` add column \`tries\` integer not null default 0;`);

    this.addSql(`alter table \`webhooks\` add column \`editor_id\` bigint not null default '0';`);
    this.addSql(`alter table \`webhooks\` add column \`reach\` json null;`);
  }

}
