// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122233253_access_limits extends Migration {

  override name = 'Migration20261122233253_access_limits';

  override up(): void | Promise<void> {
    this.addSql(`create table "code_attempts" ("id" bigint not null, "tried_at" jsonb not null, "known_at" bigint not null, "stranger_at" bigint not null, "updated_at" bigint not null, primary key ("id"));`);

    this.addSql(`alter table "oidc_providers" add "reach" jsonb null, add "linkings" bigint not null default '0';`);

    this.addSql(`alter table "pending_logins" add "tries" int not null default 0;`);

    this.addSql(`alter table "webhooks" add "editor_id" bigint not null default '0', add "reach" jsonb null;`);
  }

}
