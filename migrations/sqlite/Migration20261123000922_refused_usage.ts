// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123000922_refused_usage extends Migration {

  override name = 'Migration20261123000922_refused_usage';

  override up(): void | Promise<void> {
    this.addSql(`create table \`deleted_usage\` (\`id\` integer not null primary key, \`up\` bigint not null, \`down\` bigint not null, \`up_rest\` bigint not null, \`down_rest\` bigint not null, \`online_at\` bigint not null, \`counted_at\` bigint not null);`);

    this.addSql(`create table \`departures\` (\`id\` text not null primary key, \`kind\` text not null, \`subject\` bigint not null, \`until\` bigint not null, \`was\` json null);`);
    this.addSql(`create index \`departures_subject_kind_index\` on \`departures\` (\`subject\`, \`kind\`);`);
    this.addSql(`create index \`departures_until_index\` on \`departures\` (\`until\`);`);

    this.addSql(`create table \`usage_refusals\` (\`id\` integer not null primary key autoincrement, \`node_id\` bigint not null, \`at\` bigint not null, \`code\` text not null, \`user_id\` bigint not null, \`up\` bigint not null, \`down\` bigint not null);`);
    this.addSql(`create index \`usage_refusals_node_id_id_index\` on \`usage_refusals\` (\`node_id\`, \`id\`);`);
    this.addSql(`create index \`usage_refusals_at_index\` on \`usage_refusals\` (\`at\`);`);

    this.addSql(`alter table \`node_usage\` add column \`counted_at\` bigint not null default '0';`);
    this.addSql(`alter table \`node_usage\` add column \`given_since\` bigint not null default '0';`);
    this.addSql(`alter table \`node_usage\` add column \`line_from\` bigint not null default '0';`);
    this.addSql(`alter table \`node_usage\` add column \`refused_at\` bigint not null default '0';`);
    this.addSql(`alter table \`node_usage\` add column \`refusal_told_at\` bigint not null default '0';`);

    // What an absurd report left beyond the numbers that are exact.
    this.addSql(`update user_usage set up = min(up, 9007199254740991), down = min(down, 9007199254740991), total_up = min(total_up, 9007199254740991), total_down = min(total_down, 9007199254740991) where up > 9007199254740991 or down > 9007199254740991 or total_up > 9007199254740991 or total_down > 9007199254740991;`);
    this.addSql(`update node_usage set up = min(up, 9007199254740991), down = min(down, 9007199254740991), period_used = min(period_used, 9007199254740991);`);
    this.addSql(`update users set armed_total = 9007199254740991 where armed_total > 9007199254740991;`);
    // What nodes were given before is not known: they begin now, with a day of their line for what they have kept.
    this.addSql(`update node_usage set given_since = (unixepoch() * 1000), line_from = (unixepoch() * 1000) - 86400000;`);
  }

}
