// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261124040559_user_texts extends Migration {

  override name = 'Migration20261124040559_user_texts';

  override up(): void | Promise<void> {
    this.addSql(`create table "user_texts" ("id" bigint not null, "text" text not null, primary key ("id"));`);

    this.addSql(`create table "user_text_entry" ("id" bigint not null, "up_to" bigint not null, primary key ("id"));`);

    // Its parts of three letters. Of PostgreSQL's own only: an extension may be missing or forbidden.
    this.addSql(`create function user_text_grams (text text) returns text[] language sql immutable strict parallel safe as $$
      select array(select (a || b || c) collate "C" from unnest(
        string_to_array(text, null), (string_to_array(text, null))[2:], (string_to_array(text, null))[3:]
      ) as parts (a, b, c) where c is not null)
    $$;`);
    this.addSql(`create index "user_texts_grams" on "user_texts" using gin ((user_text_grams("text")) collate "C");`);
  }

}
