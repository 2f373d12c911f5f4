// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261124040025_fronts extends Migration {

  override name = 'Migration20261124040025_fronts';

  override up(): void | Promise<void> {
    this.addSql(`create table "fronts" ("id" bigint not null, "name" text not null, "domain" text not null, "address" text not null, "port" int not null, "sni" text not null, "path" text not null, "remark" text not null, "enabled" boolean not null, "client_header" text not null, "inbound_ids" jsonb not null, "created_at" bigint not null, "updated_at" bigint not null, primary key ("id"));`);

    this.addSql(`alter table "inbounds" add "front_ids" jsonb not null default '[]';`);
  }

}
