// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261124040559_user_texts extends Migration {

  override name = 'Migration20261124040559_user_texts';

  override up(): void | Promise<void> {
    this.addSql(`create table \`user_texts\` (\`id\` integer not null primary key, \`text\` text not null);`);

    this.addSql(`create table \`user_text_entry\` (\`id\` integer not null primary key, \`up_to\` bigint not null);`);

    // Which parts of three letters are in which text, without where: one that has all parts of what is searched for is
    // looked at. Levels of sixteen: with SQLite's own of four, small commits spend most of their time on merging.
    this.addSql(`create virtual table user_text_grams using fts5 (text, content='user_texts', content_rowid='id', tokenize='trigram case_sensitive 1', detail='none', columnsize=0);`);
    this.addSql(`insert into user_text_grams (user_text_grams, rank) values ('automerge', 16);`);
    this.addSql(`insert into user_text_grams (user_text_grams, rank) values ('crisismerge', 64);`);
    this.addSql(`create trigger user_texts_added after insert on user_texts begin
      insert into user_text_grams (rowid, text) values (new.id, new.text);
    end;`);
    this.addSql(`create trigger user_texts_changed after update on user_texts when old.text <> new.text begin
      insert into user_text_grams (user_text_grams, rowid, text) values ('delete', old.id, old.text);
      insert into user_text_grams (rowid, text) values (new.id, new.text);
    end;`);
    this.addSql(`create trigger user_texts_gone after delete on user_texts begin
      insert into user_text_grams (user_text_grams, rowid, text) values ('delete', old.id, old.text);
    end;`);
  }

}
