// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123180301_bans_say_why extends Migration {

  override name = 'Migration20261123180301_bans_say_why';

  override up(): void | Promise<void> {
    this.addSql(`alter table "login_attempts" add "ban_reason" text not null default '', add "ban_attempts" int not null default 0;`);
  }

}
