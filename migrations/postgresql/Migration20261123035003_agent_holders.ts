// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123035003_agent_holders extends Migration {

  override name = 'Migration20261123035003_agent_holders';

  override up(): void | Promise<void> {
    this.addSql(`create table "agent_holders" ("id" text not null, "node_id" bigint not null, primary key ("id"));`);
    this.addSql(`create index "agent_holders_node_id_index" on "agent_holders" ("node_id");`);

    this.addSql(`alter table "nodes" add "trouble_since" bigint not null default '0';`);
    // Who is out of reach now has been so since it was last tried, as far as is known.
    this.addSql(`update nodes set trouble_since = msince / 1000 where mstate like 'error.%';`);
  }

}
