// The pages' part of a new feature: a list, and words in four languages. The other languages start with the
// English words, until somebody translates them.
import type { Names } from "./names.ts";
import { sentence, type Files } from "./server.ts";

const LANGUAGES = { en: "English", fa: "Persian", ru: "Russian", zh: "Chinese" } as const;

export function webFiles(names: Names): Files {
  const web = `src/web/${names.folder}`;
  return {
    [`${web}/${names.Type}sPage.tsx`]: page(names),
    [`${web}/words/en.ts`]: english(names),
    ...Object.fromEntries(
      (["fa", "ru", "zh"] as const).map((language) => [`${web}/words/${language}.ts`, translated(names, language)]),
    ),
  };
}

const page = ({ folder, many, Type, variable }: Names) => `// All ${many}.
import { IconTrash } from "@tabler/icons-react";
import type { ${Type}Answer } from "../../${folder}/${folder}.schema.ts";
import { call } from "../api/call.ts";
import { ListPage } from "../parts/ListPage.tsx";
import { Name } from "../parts/Names.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import { useVerbs, type RecordKind } from "../parts/use-verbs.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";

type ${Type} = Readonly<${Type}Answer>;

const KIND: RecordKind<${Type}> = { list: "/${folder}", name: ({ name }) => name };
const DEFAULTS = {};

export default function ${Type}sPage() {
  const words = useWords("${folder}");
  const writes = useCan()("settings:write");
  const verbs = useVerbs(KIND, {
    verbs: (${variable}) => [
      writes && {
        id: "remove",
        label: words.remove,
        icon: <IconTrash size={15} aria-hidden />,
        danger: true,
        confirm: { title: words.removeTitle(${variable}.name), text: words.removeText },
        act: async () => {
          await call("DELETE", \`/${folder}/\${${variable}.id}\`);
          return { gone: true, said: words.removed(${variable}.name) };
        },
      },
    ],
  });
  return (
    <ListPage<${Type}>
      id="${folder}"
      title={words.title}
      path="/${folder}"
      query={useListQuery(DEFAULTS)}
      count={words.count}
      columns={[
        {
          id: "name",
          header: words.name,
          card: "title",
          text: ({ name }) => name,
          cell: ({ name }) => <Name>{name}</Name>,
        },
      ]}
      rowLabel={({ name }) => name}
      verbs={verbs}
      search={words.search}
      empty={{ title: words.none, text: words.noneText }}
    />
  );
}
`;

const english = (names: Names) => `// Words of the pages of ${names.many}, in English.
import { plural } from "../../words/plural.ts";
import { own } from "../../words/isolate.ts";

export const page = {
  title: "${sentence(names.many)}",
  count: (n: number, shown: string) =>
    plural("en", n, { one: "1 ${names.one}", other: \`\${shown} ${names.many}\` }),
  search: "Name",
  name: "Name",
  none: "No ${names.many} yet",
  noneText: "What a ${names.one} is for.",
  remove: "Delete",
  removeTitle: (name: string) => \`Delete \${own(name)}?\`,
  removeText: "What happens then.",
  removed: (name: string) => \`\${own(name)} is deleted.\`,
};

export const titles = {
  ${names.variables}: "${sentence(names.many)}",
};

export const raised = {
  "${names.family}.created": "${names.one} added",
};

export const families = {
  ${names.family}: "${sentence(names.many)}",
};

export const subjects = {
  ${key(names.folder)}: "${sentence(names.one)}",
};
`;

const translated = (names: Names, language: Exclude<keyof typeof LANGUAGES, "en">) =>
  english(names)
    .replace("in English", `in ${LANGUAGES[language]}: to be translated`)
    .replace(
      'import { own } from "../../words/isolate.ts";\n',
      'import { own } from "../../words/isolate.ts";\nimport type { Typed } from "../../words/language.ts";\nimport type * as english from "./en.ts";\n',
    )
    .replace('plural("en"', `plural("${language}"`)
    .replaceAll(/^export const (\w+) = \{$/gm, "export const $1: Typed<typeof english.$1> = {");

/** A key of an object, in quotes where it needs them. */
const key = (text: string) => (/^\w+$/.test(text) ? text : `"${text}"`);
