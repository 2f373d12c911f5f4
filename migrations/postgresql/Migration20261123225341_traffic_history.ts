// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123225341_traffic_history extends Migration {

  override name = 'Migration20261123225341_traffic_history';

  override up(): void | Promise<void> {
    this.addSql(`create table "traffic_chunks" ("id" bigserial primary key, "data" bytea not null);`);

    this.addSql(`create table "traffic_days" ("id" bigint not null, "passed" boolean not null, "data" bytea not null, primary key ("id"));`);

    this.addSql(`create table "traffic_hours" ("id" bigint not null, "passed" boolean not null, "data" bytea not null, primary key ("id"));`);

    this.addSql(`create table "traffic_months" ("id" bigint not null, "passed" boolean not null, "data" bytea not null, primary key ("id"));`);

    this.addSql(`create table "traffic_open" ("id" bigint not null, "due_at" bigint not null, primary key ("id"));`);
    this.addSql(`create index "traffic_open_due_at_index" on "traffic_open" ("due_at");`);

    this.addSql(`create table "traffic_turns" ("id" bigint not null, "turn" bigint not null, primary key ("id"));`);
  }

}
