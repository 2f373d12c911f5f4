// Written by `npm run migration`.
import { Migration } from '@mikro-orm/migrations';

export class Migration20261123141037_fault_causes extends Migration {

  override name = 'Migration20261123141037_fault_causes';

  override up(): void | Promise<void> {
    this.addSql(`alter table \`effects\` add column \`last_cause\` json null;`);

    this.addSql(`alter table \`nodes\` add column \`fault_cause\` json null;`);

    this.addSql(`alter table \`users\` add column \`fault_cause\` json null;`);
  }

}
