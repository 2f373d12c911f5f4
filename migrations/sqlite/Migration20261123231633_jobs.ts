// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123231633_jobs extends Migration {

  override name = 'Migration20261123231633_jobs';

  override up(): void | Promise<void> {
    this.addSql(`create table \`jobs\` (\`id\` integer not null primary key, \`rev\` bigint not null, \`mstate\` text not null, \`mctx\` json not null, \`mver\` bigint not null, \`msince\` bigint not null, \`mlast\` bigint null, \`due_at\` bigint null, \`fault_at\` bigint null, \`fault_count\` bigint not null, \`fault_message\` text not null, \`fault_cause\` json null, \`work\` text not null, \`op\` text not null, \`plan\` json not null, \`admin_id\` bigint not null, \`actor\` text not null, \`via\` text not null, \`token_id\` bigint not null, \`ip\` text not null, \`up_to\` bigint not null, \`cursor\` bigint not null, \`total\` bigint not null, \`done\` bigint not null, \`matched\` bigint not null, \`affected\` bigint not null, \`blocked\` bigint not null, \`failed\` bigint not null, \`problems\` json not null, \`ids\` json not null, \`error\` text not null, \`request_key\` text null, \`undone_by\` bigint not null, \`undoes\` bigint not null, \`created_at\` bigint not null, \`started_at\` bigint not null, \`finished_at\` bigint not null);`);
    this.addSql(`create unique index \`jobs_request_key_unique\` on \`jobs\` (\`request_key\`);`);
    this.addSql(`create index \`jobs_mstate_msince_id_index\` on \`jobs\` (\`mstate\`, \`msince\`, \`id\`);`);
    this.addSql(`create index \`jobs_faults\` on \`jobs\` (\`fault_count\`) where fault_count >= 3;`);
    this.addSql(`create index \`jobs_admin_id_id_index\` on \`jobs\` (\`admin_id\`, \`id\`);`);
    this.addSql(`create index \`jobs_finished_at_index\` on \`jobs\` (\`finished_at\`);`);

    this.addSql(`create table \`job_parts\` (\`id\` integer not null primary key, \`job_id\` bigint not null, \`sort\` text not null, \`last\` bigint not null, \`content\` json not null);`);
    this.addSql(`create index \`job_parts_job_id_sort_last_index\` on \`job_parts\` (\`job_id\`, \`sort\`, \`last\`);`);
  }

}
