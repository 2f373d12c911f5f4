import { Migration } from '@mikro-orm/migrations';

export class Migration20261128083600_long_search_parts extends Migration {

  override name = 'Migration20261128083600_long_search_parts';

  override up(): void | Promise<void> {
    // A function of PostgreSQL's alone.
  }

}
