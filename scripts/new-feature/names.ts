// The spellings of a feature's name: `npm run new-feature -- maintenance-notes` makes `MaintenanceNoteRows`.

/** How each place spells the name. */
export interface Names {
  /** The folder, the path of the routes and of the page: `maintenance-notes`. */
  readonly folder: string;
  /** One record, in sentences: `maintenance note`. */
  readonly one: string;
  /** Many, in sentences: `maintenance notes`. */
  readonly many: string;
  /** The table: `maintenance_notes`. */
  readonly table: string;
  /** The family of its events: `maintenance_note`. */
  readonly family: string;
  /** One record as a type: `MaintenanceNote`. */
  readonly Type: string;
  /** One record as a variable: `maintenanceNote`. */
  readonly variable: string;
  /** Many as a variable: `maintenanceNotes`. */
  readonly variables: string;
}

const pascal = (words: readonly string[]): string =>
  words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join("");
const camel = (words: readonly string[]): string => {
  const whole = pascal(words);
  return `${whole.slice(0, 1).toLowerCase()}${whole.slice(1)}`;
};

/** Throws a sentence for a name that is no plural in small letters with hyphens. */
export function namesOf(folder: string): Names {
  if (!/^[a-z]+(-[a-z]+)*s$/.test(folder))
    throw new Error(`"${folder}" is no name: a plural in small letters with hyphens, such as maintenance-notes`);
  const many = folder.split("-");
  const one = folder.slice(0, -1).split("-");
  return {
    folder,
    one: one.join(" "),
    many: many.join(" "),
    table: many.join("_"),
    family: one.join("_"),
    Type: pascal(one),
    variable: camel(one),
    variables: camel(many),
  };
}
