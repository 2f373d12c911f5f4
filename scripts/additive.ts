// Whether a migration is additive: panels that do not have it go on working on the schema that it leaves, and lose
// nothing of what it brings. What is not known to be so is not: each statement must be one of these forms as a whole.

const NAME = String.raw`[\`"]?\w+[\`"]?`;
const TEXT = "'[^']*'";
/** A new column of any table: nullable, or with a fixed default that rows of an older panel get. */
const NEW_COLUMN = new RegExp(
  String.raw`^add (?:column )?[\`"]\w+[\`"] (?!\w*serial\b)\w+(?: varying| precision)?(?:\(\d+(?:, ?\d+)?\))?(?:\[\])? ` +
    String.raw`(?:null(?: default (?:${TEXT}|-?\d+|true|false|null))?|not null default (?:${TEXT}|-?\d+|true|false))$`,
);
/** A table that refers to another one would keep an older panel from deleting rows there. */
const NEW_TABLE = new RegExp(
  String.raw`^create table ${NAME} \((?!.*\b(?:references|select|inherits|partition)\b).*\)(?: with \([\w =]+\))?$`,
  "si",
);
/** An index of columns alone: an expression may fail on what an older panel writes. */
const INDEX = String.raw`index ${NAME} on (${NAME}) \(${NAME}(?: (?:asc|desc))?(?:, ?${NAME}(?: (?:asc|desc))?)*\)`;
const NEW_INDEX = new RegExp(
  `^create ${INDEX}(?: where \\w+ (?:is null|is not null|(?:=|<>|[<>]=?) (?:${TEXT}|-?\\d+)))?$`,
);
const UNIQUE_INDEX = new RegExp(`^create unique ${INDEX}$`);
const UNIQUE = new RegExp(String.raw`^add constraint ${NAME} unique \([^()]*\)$`);
/** New rows of fixed values: copies of other rows would lack those that an older panel writes later. */
const ROWS = new RegExp(
  String.raw`^insert into ${NAME} \([^()]*\) values \((?:${TEXT}|[\w\s,.-])*\)(?:, ?\((?:${TEXT}|[\w\s,.-])*\))*$`,
);
/**
 * SQLite: a table is copied with its columns into one without row ids, which takes its name: for older panels it is the
 * same table. That no column and no row was left out is held by `test/migrations/landings.test.ts`.
 */
const REBUILD =
  /^create table `(\w+)` \((?![^;]*\b(?:references|select)\b)[^;]*\) without rowid;insert into `\1` \(([\w`, ]+)\) select \2 from `(\w+)`(?: order by `\w+`)?;drop table `\3`;alter table `\1` rename to `\3`$/i;
/** Statements of a rebuild. */
const REBUILD_SIZE = 4;
const ALTER = new RegExp(String.raw`^alter table (${NAME}) (.+)$`, "s");

/** `statements`: all of a migration, in one dialect. */
export function isAdditive(statements: readonly string[]): boolean {
  const all = statements.map((statement) => statement.trim().replace(/;$/, "")).filter((statement) => statement !== "");
  const made = new Set(all.filter((each) => NEW_TABLE.test(each)).map((each) => plain(each.split(" ")[2])));
  return withoutRebuilds(all).every((statement) => {
    if (holdsMore(statement)) return false;
    const [, indexed] = UNIQUE_INDEX.exec(statement) ?? [];
    if (indexed !== undefined) return made.has(plain(indexed));
    const [, table, changes] = ALTER.exec(statement) ?? [];
    if (changes !== undefined)
      return partsOf(changes).every((each) => NEW_COLUMN.test(each) || (UNIQUE.test(each) && made.has(plain(table))));
    return [NEW_TABLE, NEW_INDEX, ROWS].some((form) => form.test(statement));
  });
}

function withoutRebuilds(statements: readonly string[]): readonly string[] {
  const at = statements.findIndex((_, from) => REBUILD.test(statements.slice(from, from + REBUILD_SIZE).join(";")));
  return at < 0 ? statements : withoutRebuilds(statements.toSpliced(at, REBUILD_SIZE));
}

/** Whether a second statement, or a comment, follows in the same text. */
function holdsMore(statement: string): boolean {
  return /;|--|\/\*/.test(statement.replaceAll(/'[^']*'/g, "''"));
}

/** The changes of one `alter table`: what commas part outside of brackets and texts. */
function partsOf(changes: string): string[] {
  return (changes.match(/(?:'[^']*'|\([^()]*\)|[^,'()])+/g) ?? []).map((each) => each.trim());
}

function plain(name = ""): string {
  return name.replaceAll(/[`"]/g, "");
}
