// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261122115430_initial extends Migration {

  override name = 'Migration20261122115430_initial';

  override up(): void | Promise<void> {
    this.addSql(`create table \`admins\` (\`id\` integer not null primary key, \`username\` text not null, \`username_key\` text not null, \`password_hash\` text not null, \`role_id\` bigint not null, \`owner\` integer not null, \`volume\` bigint not null, \`used\` bigint not null, \`period\` text not null, \`period_day\` integer not null, \`period_start\` bigint not null, \`next_reset\` bigint not null, \`expiry\` bigint not null, \`user_limit\` bigint not null, \`plans_only\` integer not null, \`plan_ids\` json not null, \`users_read_only\` integer not null, \`two_factor_at\` bigint not null, \`totp_seed\` text not null, \`totp_used\` json not null, \`recovery_hashes\` json not null, \`dashboard_tiles\` text null, \`last_login_at\` bigint not null, \`last_login_ip\` text not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);
    this.addSql(`create unique index \`admins_username_key_unique\` on \`admins\` (\`username_key\`);`);
    this.addSql(`create index \`admins_role_id_index\` on \`admins\` (\`role_id\`);`);

    this.addSql(`create table \`api_tokens\` (\`id\` integer not null primary key, \`hash\` text not null, \`description\` text not null, \`admin_id\` bigint not null, \`role_id\` bigint not null, \`scopes\` json not null, \`addon\` text not null, \`rate_limit\` bigint not null, \`expiry\` bigint not null, \`last_used_at\` bigint not null, \`last_used_ip\` text not null, \`created_at\` bigint not null);`);
    this.addSql(`create unique index \`api_tokens_hash_unique\` on \`api_tokens\` (\`hash\`);`);
    this.addSql(`create index \`api_tokens_admin_id_index\` on \`api_tokens\` (\`admin_id\`);`);

    this.addSql(`create table \`certificates\` (\`id\` integer not null primary key, \`name\` text not null, \`type\` text not null, \`sans\` json not null, \`not_before\` bigint not null, \`not_after\` bigint not null, \`certificate\` text not null, \`private_key\` text not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);

    this.addSql(`create table \`changes\` (\`id\` integer not null primary key, \`time\` bigint not null, \`actor\` text not null, \`admin_id\` bigint not null, \`via\` text not null, \`token_id\` bigint not null, \`ip\` text not null, \`collection\` text not null, \`entity_id\` text not null, \`action\` text not null, \`obj\` json not null);`);
    this.addSql(`create index \`changes_time_id_index\` on \`changes\` (\`time\`, \`id\`);`);
    this.addSql(`create index \`changes_actor_time_id_index\` on \`changes\` (\`actor\`, \`time\`, \`id\`);`);
    this.addSql(`create index \`changes_collection_time_id_index\` on \`changes\` (\`collection\`, \`time\`, \`id\`);`);
    this.addSql(`create index \`changes_action_time_id_index\` on \`changes\` (\`action\`, \`time\`, \`id\`);`);

    this.addSql(`create table \`commit_log\` (\`id\` integer not null primary key autoincrement, \`xid\` bigint not null, \`boot\` text not null, \`note\` text not null);`);
    this.addSql(`create index \`commit_log_xid_index\` on \`commit_log\` (\`xid\`);`);

    this.addSql(`create table \`deliveries\` (\`id\` integer not null primary key, \`subscriber_id\` bigint not null, \`event_id\` bigint not null, \`event\` text not null, \`subject\` text not null, \`raised_at\` bigint not null, \`state\` text not null, \`attempts\` integer not null, \`next_attempt_at\` bigint not null, \`last_status\` integer not null, \`last_error\` text not null, \`delivered_at\` bigint not null);`);
    this.addSql(`create index \`deliveries_subscriber_id_state_next_attempt_at_raised_at_id_subject_index\` on \`deliveries\` (\`subscriber_id\`, \`state\`, \`next_attempt_at\`, \`raised_at\`, \`id\`, \`subject\`);`);
    this.addSql(`create index \`deliveries_subscriber_id_subject_state_attempts_index\` on \`deliveries\` (\`subscriber_id\`, \`subject\`, \`state\`, \`attempts\`);`);
    this.addSql(`create index \`deliveries_subscriber_id_raised_at_index\` on \`deliveries\` (\`subscriber_id\`, \`raised_at\`);`);
    this.addSql(`create index \`deliveries_event_id_index\` on \`deliveries\` (\`event_id\`);`);

    this.addSql(`create table \`delivery_queues\` (\`subscriber_id\` integer not null primary key, \`owner\` text not null, \`lease_until\` bigint not null, \`last_status\` integer not null, \`last_delivered_at\` bigint not null, \`failing\` integer not null);`);

    this.addSql(`create table \`effects\` (\`id\` text not null primary key, \`run\` text not null, \`kind\` text not null, \`actor_id\` bigint not null, \`invoke_id\` text not null, \`src\` text not null, \`input\` json null, \`state\` text not null, \`attempt\` bigint not null, \`next_at\` bigint not null, \`owner\` text not null, \`started_at\` bigint null, \`last_error\` text not null);`);
    this.addSql(`create index \`effects_next_at_index\` on \`effects\` (\`next_at\`);`);

    this.addSql(`create table \`events\` (\`id\` integer not null primary key, \`event\` text not null, \`time\` bigint not null, \`data\` text not null, \`admin_id\` bigint null, \`subject\` text not null);`);
    this.addSql(`create index \`events_time_index\` on \`events\` (\`time\`);`);

    this.addSql(`create table \`exit_tags\` (\`id\` text not null primary key, \`owner\` text not null);`);

    this.addSql(`create table \`id_blocks\` (\`name\` text not null primary key, \`next\` bigint not null);`);

    this.addSql(`create table \`idempotency_records\` (\`id\` text not null primary key, \`fingerprint\` text not null, \`state\` text not null, \`boot\` text not null, \`claim\` text not null, \`claimed_at\` bigint not null, \`status\` integer not null, \`body\` text not null);`);
    this.addSql(`create index \`idempotency_records_claimed_at_index\` on \`idempotency_records\` (\`claimed_at\`);`);

    this.addSql(`create table \`inbounds\` (\`id\` integer not null primary key, \`tag\` text not null, \`type\` text not null, \`config\` json not null, \`remark\` text not null, \`use_node_cert\` integer not null, \`certificate_id\` bigint null, \`client_config\` json not null, \`fronted_only\` integer not null, \`template_ids\` json not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);
    this.addSql(`create unique index \`inbounds_tag_unique\` on \`inbounds\` (\`tag\`);`);
    this.addSql(`create index \`inbounds_type_index\` on \`inbounds\` (\`type\`);`);

    this.addSql(`create table \`journal\` (\`id\` integer not null primary key, \`kind\` text not null, \`actor_id\` bigint not null, \`seq\` bigint not null, \`at\` bigint not null, \`event\` text not null, \`from_state\` text null, \`to_state\` text not null, \`via\` text not null, \`actor\` text not null, \`admin_id\` bigint not null, \`effects\` text not null, \`took\` bigint not null, \`changed\` text not null, \`previous\` bigint null);`);
    this.addSql(`create index \`journal_ends\` on \`journal\` (\`kind\`, \`actor_id\`) where to_state = 'deleted';`);

    this.addSql(`create table \`link_identities\` (\`id\` integer not null primary key, \`certificate\` text not null, \`private_key\` text not null, \`created_at\` bigint not null);`);

    this.addSql(`create table \`login_attempts\` (\`id\` text not null primary key, \`refused_at\` json not null, \`banned_until\` bigint not null, \`updated_at\` bigint not null);`);

    this.addSql(`create table \`nodes\` (\`id\` integer not null primary key, \`rev\` bigint not null, \`mstate\` text not null, \`mctx\` json not null, \`mver\` bigint not null, \`msince\` bigint not null, \`mlast\` bigint null, \`due_at\` bigint null, \`fault_at\` bigint null, \`fault_count\` bigint not null, \`fault_message\` text not null, \`name\` text not null, \`address\` text not null, \`port\` bigint not null, \`remark\` text not null, \`link_address\` text not null, \`is_local\` integer not null, \`routing\` json null, \`template_id\` bigint null, \`multiplier_micros\` bigint not null, \`enabled\` integer not null, \`limit_bytes\` bigint not null, \`limit_period\` text not null, \`limit_start_day\` bigint not null, \`limit_start_month\` bigint not null, \`fallback_cert_mode\` text not null, \`fallback_cert_id\` bigint null, \`ssh_host\` text not null, \`ssh_port\` bigint not null, \`ssh_user\` text not null, \`ssh_key_id\` bigint null, \`ssh_key_installed\` integer not null, \`limit_disabled\` integer not null, \`message\` text not null, \`warnings\` json not null, \`fingerprint\` text not null, \`core_version\` text not null, \`node_version\` text not null, \`arch\` text not null, \`setup\` text not null, \`engine\` text not null, \`info_seen_at\` bigint not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);
    this.addSql(`create index \`nodes_mstate_msince_id_index\` on \`nodes\` (\`mstate\`, \`msince\`, \`id\`);`);
    this.addSql(`create index \`nodes_faults\` on \`nodes\` (\`fault_count\`) where fault_count >= 3;`);
    this.addSql(`create index \`nodes_template_id_index\` on \`nodes\` (\`template_id\`);`);

    this.addSql(`create table \`node_live\` (\`id\` integer not null primary key, \`fence\` bigint not null, \`written_at\` bigint not null, \`at\` bigint not null, \`online\` bigint not null, \`figures\` json not null);`);

    this.addSql(`create table \`node_usage\` (\`id\` integer not null primary key, \`up\` bigint not null, \`down\` bigint not null, \`period_used\` bigint not null, \`period_start\` bigint not null, \`wake_at\` bigint null);`);

    this.addSql(`create table \`oidc_attempts\` (\`id\` text not null primary key, \`browser_hash\` text not null, \`provider_id\` bigint not null, \`provider_version\` bigint not null, \`source\` text not null, \`expires_at\` bigint not null, \`remember\` integer not null, \`admin_id\` bigint not null, \`session_id\` bigint not null, \`secrets\` text not null);`);
    this.addSql(`create index \`oidc_attempts_expires_at_index\` on \`oidc_attempts\` (\`expires_at\`);`);

    this.addSql(`create table \`oidc_links\` (\`id\` integer not null primary key, \`admin_id\` bigint not null, \`provider_id\` bigint not null, \`subject\` text not null, \`email\` text not null, \`created_at\` bigint not null, \`last_used_at\` bigint not null);`);
    this.addSql(`create index \`oidc_links_admin_id_index\` on \`oidc_links\` (\`admin_id\`);`);
    this.addSql(`create unique index \`oidc_links_provider_id_subject_unique\` on \`oidc_links\` (\`provider_id\`, \`subject\`);`);

    this.addSql(`create table \`oidc_providers\` (\`id\` integer not null primary key, \`name\` text not null, \`kind\` text not null, \`issuer\` text not null, \`client_id\` text not null, \`client_secret\` text not null, \`scopes\` text not null, \`authorization_url\` text not null, \`token_url\` text not null, \`user_url\` text not null, \`subject_field\` text not null, \`enabled\` integer not null, \`sort_order\` bigint not null, \`icon\` text not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);

    this.addSql(`create table \`oidc_waiting\` (\`id\` integer not null primary key, \`places\` json not null);`);

    this.addSql(`create table \`outbounds\` (\`id\` integer not null primary key, \`tag\` text not null, \`type\` text not null, \`config\` json not null, \`remark\` text not null, \`template_ids\` json not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);
    this.addSql(`create unique index \`outbounds_tag_unique\` on \`outbounds\` (\`tag\`);`);

    this.addSql(`create table \`owner_counts\` (\`id\` integer not null primary key, \`users\` bigint not null);`);

    this.addSql(`create table \`pending_logins\` (\`id\` text not null primary key, \`admin_id\` bigint not null, \`admin_version\` bigint not null, \`via\` text not null, \`remember\` integer not null, \`boot\` text not null, \`expires_at\` bigint not null);`);
    this.addSql(`create index \`pending_logins_admin_id_index\` on \`pending_logins\` (\`admin_id\`);`);
    this.addSql(`create index \`pending_logins_expires_at_index\` on \`pending_logins\` (\`expires_at\`);`);

    this.addSql(`create table \`processes\` (\`id\` text not null primary key, \`seen_at\` bigint not null, \`takes_shards\` integer not null);`);

    this.addSql(`create table \`roles\` (\`id\` integer not null primary key, \`name\` text not null, \`base\` text not null, \`builtin\` integer not null, \`description\` text not null, \`scopes\` json not null, \`user_limit\` bigint not null, \`max_device_limit\` bigint not null, \`max_duration\` bigint not null, \`assignments\` bigint not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);
    this.addSql(`create unique index \`roles_name_unique\` on \`roles\` (\`name\`);`);

    this.addSql(`create table \`sessions\` (\`id\` integer not null primary key, \`hash\` text not null, \`admin_id\` bigint not null, \`scopes\` json not null, \`created_at\` bigint not null, \`last_seen_at\` bigint not null, \`expires_at\` bigint not null, \`ip\` text not null, \`user_agent\` text not null, \`remember\` integer not null, \`via\` text not null, \`confirmed_until\` bigint not null, \`enrolment\` text not null, \`enrolment_boot\` text not null);`);
    this.addSql(`create unique index \`sessions_hash_unique\` on \`sessions\` (\`hash\`);`);
    this.addSql(`create index \`sessions_admin_id_index\` on \`sessions\` (\`admin_id\`);`);
    this.addSql(`create index \`sessions_expires_at_index\` on \`sessions\` (\`expires_at\`);`);

    this.addSql(`create table \`settings\` (\`id\` text not null primary key, \`value\` text not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);

    this.addSql(`create table \`shards\` (\`id\` integer not null primary key autoincrement, \`owner\` text not null, \`token\` bigint not null, \`expires_at\` bigint not null);`);

    this.addSql(`create table \`state_counts\` (\`id\` text not null primary key, \`kind\` text not null, \`state\` text not null, \`total\` bigint not null);`);

    this.addSql(`create table \`templates\` (\`id\` integer not null primary key, \`name\` text not null, \`remark\` text not null, \`route\` json not null, \`core\` json not null, \`inbound_ids\` json not null, \`outbound_ids\` json not null, \`endpoint_ids\` json not null, \`rule_set_ids\` json not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);

    this.addSql(`create table \`template_claims\` (\`id\` integer not null primary key, \`claims\` bigint not null);`);

    this.addSql(`create table \`template_departures\` (\`id\` integer not null primary key, \`deleted_at\` bigint not null);`);

    this.addSql(`create table \`timers\` (\`id\` text not null primary key, \`kind\` text not null, \`actor_id\` bigint not null, \`name\` text not null, \`event\` text not null, \`due_at\` bigint not null);`);
    this.addSql(`create index \`timers_due_at_index\` on \`timers\` (\`due_at\`);`);

    this.addSql(`create table \`token_budgets\` (\`id\` integer not null primary key, \`minute\` bigint not null, \`taken\` integer not null);`);

    this.addSql(`create table \`usage_cursors\` (\`id\` text not null primary key, \`node_id\` bigint not null, \`seq\` bigint not null);`);

    this.addSql(`create table \`usage_moves\` (\`id\` integer not null primary key autoincrement, \`moved_at\` bigint not null, \`size\` bigint not null, \`users\` text not null);`);
    this.addSql(`create index \`usage_moves_moved_at_index\` on \`usage_moves\` (\`moved_at\`);`);

    this.addSql(`create table \`users\` (\`id\` integer not null primary key, \`rev\` bigint not null, \`mstate\` text not null, \`mctx\` json not null, \`mver\` bigint not null, \`msince\` bigint not null, \`mlast\` bigint null, \`due_at\` bigint null, \`fault_at\` bigint null, \`fault_count\` bigint not null, \`fault_message\` text not null, \`name\` text not null, \`enable\` integer not null, \`disabled_reason\` text not null, \`config\` json not null, \`description\` text not null, \`contact\` json null, \`contact_text\` text not null, \`sub_token\` text not null, \`sub_id\` text not null, \`remark\` text not null, \`volume\` bigint not null, \`speed_limit\` bigint not null, \`ip_limit\` bigint not null, \`device_limit\` bigint not null, \`expiry\` bigint not null, \`duration\` bigint not null, \`term\` bigint not null, \`activated_at\` bigint not null, \`armed_total\` bigint not null, \`sub_fetched_at\` bigint not null, \`sub_seen_at\` bigint not null, \`sub_client\` text not null, \`sub_fetch_ip\` text not null, \`auto_reset\` integer not null, \`reset_days\` bigint not null, \`reset_period\` text not null, \`reset_start_day\` bigint not null, \`reset_start_month\` bigint not null, \`reset_calendar\` text not null, \`next_reset\` bigint not null, \`group_label\` text not null, \`admin_id\` bigint not null, \`all_templates\` integer not null, \`template_ids\` json not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);
    this.addSql(`create unique index \`users_name_unique\` on \`users\` (\`name\`);`);
    this.addSql(`create unique index \`users_sub_token_unique\` on \`users\` (\`sub_token\`);`);
    this.addSql(`create unique index \`users_sub_id_unique\` on \`users\` (\`sub_id\`);`);
    this.addSql(`create index \`users_mstate_msince_id_index\` on \`users\` (\`mstate\`, \`msince\`, \`id\`);`);
    this.addSql(`create index \`users_faults\` on \`users\` (\`fault_count\`) where fault_count >= 3;`);
    this.addSql(`create index \`users_admin_id_index\` on \`users\` (\`admin_id\`);`);
    this.addSql(`create index \`users_group_label_index\` on \`users\` (\`group_label\`);`);
    this.addSql(`create index \`users_expiry_id_index\` on \`users\` (\`expiry\`, \`id\`);`);
    this.addSql(`create index \`users_created_at_id_index\` on \`users\` (\`created_at\`, \`id\`);`);
    this.addSql(`create index \`users_updated_at_id_index\` on \`users\` (\`updated_at\`, \`id\`);`);

    this.addSql(`create table \`user_usage\` (\`id\` integer not null primary key, \`up\` bigint not null, \`down\` bigint not null, \`total_up\` bigint not null, \`total_down\` bigint not null, \`up_rest\` bigint not null, \`down_rest\` bigint not null, \`online_at\` bigint not null, \`last_inbound_id\` bigint not null, \`wake_at\` bigint null, \`moved_at\` bigint not null, \`set_at\` bigint not null);`);
    this.addSql(`create index \`user_usage_set_at_index\` on \`user_usage\` (\`set_at\`);`);

    this.addSql(`create table \`webhooks\` (\`id\` integer not null primary key, \`name\` text not null, \`url\` text not null, \`secret\` text not null, \`events\` json not null, \`own_only\` integer not null, \`admin_id\` bigint not null, \`creator_id\` bigint not null, \`enabled\` integer not null, \`created_at\` bigint not null, \`updated_at\` bigint not null);`);
  }

}
