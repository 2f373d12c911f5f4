// One app: its name and picture, where people get it, the link by which it takes a subscription, and steps in the
// operator's own words.
import { SegmentedControl, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { LANGUAGES, type Language } from "../../words/language.ts";
import { useWords } from "../../words/words.ts";
import { PictureField } from "../PictureField.tsx";
import { iconOf } from "./app-icon.ts";
import { linesOf, PLATFORMS, type App, type Platform } from "./app-list.ts";

const NAMES = Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }));
/** Characters of an icon's address, as the panel takes it. */
const ICON_LENGTH = 4096;

export function AppForm({
  app,
  platform,
  problems,
  onChange,
}: {
  readonly app: App;
  /** The platform whose list shows the app. The app stays in that list while its store is typed. */
  readonly platform: Platform;
  /** By field of the app. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (app: App) => void;
}) {
  const words = useWords("subscription").app;
  const setStore = (of: Platform, url: string) => {
    const { [of]: _before, ...stores } = app.stores;
    onChange({ ...app, stores: url === "" && of !== platform ? stores : { ...stores, [of]: url } });
  };
  const { import: link, icon, ...rest } = app;
  return (
    <Stack gap="sm" py="xs">
      <TextInput
        label={words.name}
        maxLength={40}
        value={app.name}
        error={problems["name"]}
        onChange={(event) => onChange({ ...app, name: event.currentTarget.value })}
      />
      <PictureField
        label={words.icon}
        note={words.iconNote}
        tooLarge={words.iconLarge}
        length={ICON_LENGTH}
        value={icon ?? ""}
        writes
        read={iconOf}
        onChange={(next) =>
          onChange({ ...rest, ...(link === undefined ? {} : { import: link }), ...(next === "" ? {} : { icon: next }) })
        }
      />
      <TextInput
        label={words.link}
        description={words.linkNote}
        dir="ltr"
        maxLength={300}
        spellCheck={false}
        value={link ?? ""}
        error={problems["import"]}
        onChange={({ currentTarget: { value } }) =>
          onChange({
            ...rest,
            ...(icon === undefined ? {} : { icon }),
            ...(value === "" ? {} : { import: value }),
          })
        }
      />
      <div>
        <Text size="sm" fw={500}>
          {words.stores}
        </Text>
        <Text size="xs" c="dimmed" mb={4}>
          {words.storesNote}
        </Text>
        <Stack gap={6}>
          {PLATFORMS.map(({ value, label }) => (
            <TextInput
              key={value}
              label={label}
              dir="ltr"
              maxLength={300}
              spellCheck={false}
              placeholder="https://"
              value={app.stores[value] ?? ""}
              error={problems[`stores.${value}`]}
              onChange={(event) => setStore(value, event.currentTarget.value)}
            />
          ))}
        </Stack>
      </div>
      <Steps app={app} problems={problems} onChange={onChange} />
    </Stack>
  );
}

function Steps({
  app,
  problems,
  onChange,
}: {
  readonly app: App;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (app: App) => void;
}) {
  const words = useWords("subscription").app;
  const [language, setLanguage] = useState<Language>("en");
  const { steps = {}, ...rest } = app;
  const set = (lines: string[]) => {
    const { [language]: _before, ...others } = steps;
    const next = lines.length === 0 ? others : { ...others, [language]: lines };
    onChange(Object.keys(next).length === 0 ? rest : { ...rest, steps: next });
  };
  return (
    <div>
      <Text size="sm" fw={500}>
        {words.steps}
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        {words.stepsNote}
      </Text>
      <SegmentedControl
        size="xs"
        mb={6}
        aria-label={words.stepsOf}
        value={language}
        data={NAMES}
        onChange={(next) => setLanguage(next as Language)}
      />
      <StepLines
        key={language}
        language={language}
        lines={steps[language] ?? []}
        problem={Object.entries(problems).find(([path]) => path.startsWith("steps"))?.[1]}
        onChange={set}
      />
    </div>
  );
}

function StepLines({
  language,
  lines,
  problem,
  onChange,
}: {
  readonly language: Language;
  readonly lines: readonly string[];
  readonly problem: string | undefined;
  readonly onChange: (lines: string[]) => void;
}) {
  const words = useWords("subscription").app;
  const [typed, setTyped] = useState("");
  const kept = lines.join("\n");
  // An empty line is being typed, and is no step yet.
  const shown = linesOf(typed).join("\n") === kept ? typed : kept;
  return (
    <Textarea
      aria-label={words.steps}
      dir={LANGUAGES[language].direction}
      autosize
      minRows={3}
      value={shown}
      error={problem}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        onChange(linesOf(value));
      }}
    />
  );
}
