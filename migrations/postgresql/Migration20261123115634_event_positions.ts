// Written by `npm run migration`; events that are there get their positions by hand, in the order of their times.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123115634_event_positions extends Migration {

  override name = 'Migration20261123115634_event_positions';

  override up(): void | Promise<void> {
    this.addSql(`create table "event_log" ("id" int not null, "epoch" text not null, "head_position" bigint not null, "head_id" bigint not null, "head_time" bigint not null, "forgotten_position" bigint not null, "forgotten_id" bigint not null, "forgotten_time" bigint not null, primary key ("id"));`);

    this.addSql(`alter table "events" add "position" bigint null;`);
    this.addSql('update events set position = n.turn from (select id, row_number() over (order by time, id) as turn from events) n where events.id = n.id;');
    this.addSql(`create index "events_waiting" on "events" ("id") where position is null;`);
    this.addSql(`create index "events_log" on "events" ("position") where position is not null;`);
  }

}
