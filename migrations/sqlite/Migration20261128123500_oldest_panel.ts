import { Migration } from '@mikro-orm/migrations';

export class Migration20261128123500_oldest_panel extends Migration {

  override name = 'Migration20261128123500_oldest_panel';

  // Panels that do not have it do not read what it makes room for.
  static readonly additive = false;

  override up(): void | Promise<void> {
    // The migration that a panel must have at least to run on the schema that the one of this row left.
    this.addSql(`alter table \`schema_migrations\` add column \`oldest\` text null;`);
  }

}
