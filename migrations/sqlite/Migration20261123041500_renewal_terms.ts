// The length of a renewal is its own: also of accounts whose end follows from their first use.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123041500_renewal_terms extends Migration {

  override name = 'Migration20261123041500_renewal_terms';

  override up(): void | Promise<void> {
    this.addSql(`update \`users\` set \`term\` = \`duration\` where \`duration\` > 0;`);
  }

}
