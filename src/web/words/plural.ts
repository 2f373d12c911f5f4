// Plural forms by language, for dictionaries: `(count, shown) => plural("ru", count, {one: …, few: …, many: …, other:
// …})`.

export type PluralForms = { readonly [F in Exclude<Intl.LDMLPluralRule, "other">]?: string } & {
  readonly other: string;
};

const rules = new Map<string, Intl.PluralRules>();

/** The form of `forms` that a count takes in a language. */
export function plural(locale: string, count: number, forms: PluralForms): string {
  let rule = rules.get(locale);
  if (!rule) rules.set(locale, (rule = new Intl.PluralRules(locale)));
  return forms[rule.select(count)] ?? forms.other;
}
