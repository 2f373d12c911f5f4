// Columns whose text is sealed with the panel's key. A column says so itself, in its entity; whoever handles sealed
// columns (the check of the key, redaction) derives them from the entities.
//
// Rows hold the sealed text. It is opened where the secret is used, and nowhere else: so a row that is logged, cached
// or sent by mistake tells no secret. `Sealed` is a type of its own, so what is not sealed does not compile there.
import { p, TextType, UnderscoreNamingStrategy } from "@mikro-orm/core";
import { openSecret, SealError, type SealContext, type Sealed } from "../lib/seal.ts";
import type { AnyEntity } from "./orm.ts";
import { sql, type Reader } from "./read.ts";
import type { Entity } from "./table.ts";

/** In the database these are texts. */
class SealedType extends TextType {}
class PartlySealedType extends SealedType {}

/** A column of sealed texts; empty where there is no secret. */
export const sealedText = () => p.type(SealedType).$type<Sealed>();

/** A column of which some rows are sealed, as their own facts say: a setting's entry, a route's declaration. */
export const partlySealedText = () => p.type(PartlySealedType).$type<string>();

export interface SealedColumn {
  readonly table: string;
  readonly property: string;
  /** Its name in the database. */
  readonly column: string;
  /** The primary key's name in the database. */
  readonly key: string;
  /** Not every text in it is sealed. */
  readonly partly: boolean;
}

const naming = new UnderscoreNamingStrategy();

/** The sealed columns of these entities. */
export function sealedColumns(entities: readonly AnyEntity[]): SealedColumn[] {
  return entities.flatMap(({ name, schema }) => {
    const properties = Object.entries<{ type: unknown; primary?: boolean }>(schema.meta.properties);
    const [key = ""] = properties.find(([, { primary }]) => primary === true) ?? [];
    return properties.flatMap(([property, { type }]): SealedColumn[] => {
      const partly = isType(type, PartlySealedType);
      if (!partly && !isType(type, SealedType)) return [];
      const names = { column: naming.propertyToColumnName(property), key: naming.propertyToColumnName(key) };
      return [{ table: name, property, partly, ...names }];
    });
  });
}

function isType(type: unknown, known: typeof SealedType): boolean {
  return type === known || type instanceof known;
}

/** Where a column's text is sealed to. Throws for a column that is not declared as sealed. */
export function sealPlace<R extends object>(
  entity: Entity<R>,
  property: keyof R & string,
  id: string | number,
): SealContext {
  const column = sealedColumns([entity]).find((each) => each.property === property);
  if (!column) throw new Error(`${entity.name} has no sealed column ${property}`);
  return { table: column.table, column: column.column, id };
}

/**
 * Whether `key` opens what is sealed in the tables of these entities; undefined where nothing is. One text of each
 * column is tried: a single altered one must not keep a panel from its start.
 */
export async function sealedUnder(
  reads: Reader,
  entities: readonly AnyEntity[],
  key: Uint8Array,
): Promise<boolean | undefined> {
  let found = false;
  for (const { table, column, key: id, partly } of sealedColumns(entities)) {
    if (partly) continue;
    const [first] = await reads.query<{ id: string | number; text: string }>(
      sql`select ${sql.ref(id)} as id, ${sql.ref(column)} as text from ${sql.table(table)}
          where ${sql.ref(column)} <> '' order by ${sql.ref(id)} limit 1`,
    );
    if (!first) continue;
    found = true;
    if (opens(key, first.text, { table, column, id: first.id })) return true;
  }
  return found ? false : undefined;
}

function opens(key: Uint8Array, text: string, context: SealContext): boolean {
  try {
    openSecret(key, text, context);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
