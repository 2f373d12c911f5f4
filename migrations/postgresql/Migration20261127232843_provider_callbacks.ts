// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261127232843_provider_callbacks extends Migration {

  override name = 'Migration20261127232843_provider_callbacks';

  override up(): void | Promise<void> {
    this.addSql(`create table "oidc_codes" ("id" text not null, "provider_id" bigint not null, "expires_at" bigint not null, primary key ("id"));`);
    this.addSql(`create index "oidc_codes_expires_at_index" on "oidc_codes" ("expires_at");`);

    this.addSql(`alter table "oidc_providers" add "shared_callback" boolean not null default false;`);
    // The callback that all had is what is registered at providers of before.
    this.addSql('update oidc_providers set shared_callback = true;');

    this.addSql(`alter table "oidc_waiting" add "codes" bigint not null default '0', add "codes_since" bigint not null default '0';`);
  }

}
