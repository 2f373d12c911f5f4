// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123223512_plans extends Migration {

  override name = 'Migration20261123223512_plans';

  override up(): void | Promise<void> {
    this.addSql(`create table "plans" ("id" bigint not null, "name" text not null, "description" text not null, "sort_order" bigint not null, "volume" bigint not null, "days" bigint not null, "on_first_use" boolean not null, "speed_limit" bigint not null, "ip_limit" bigint not null, "device_limit" bigint not null, "auto_reset" boolean not null, "reset_days" int not null, "reset_period" text not null, "reset_start_day" int not null, "reset_start_month" int not null, "reset_calendar" text not null, "all_templates" boolean not null, "template_ids" jsonb not null, "group_label" text not null, "name_prefix" text not null, "name_suffix" text not null, "created_at" bigint not null, "updated_at" bigint not null, primary key ("id"));`);
    this.addSql(`create index "plans_sort_order_id_index" on "plans" ("sort_order", "id");`);
  }

}
