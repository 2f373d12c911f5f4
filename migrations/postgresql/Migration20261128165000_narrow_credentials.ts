// Written by hand.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261128165000_narrow_credentials extends Migration {

  override name = 'Migration20261128165000_narrow_credentials';

  static readonly additive = true;

  override up(): void | Promise<void> {
    // A form of SQLite's tables alone.
  }

}
