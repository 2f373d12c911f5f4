// The look and the texts of the subscription page.
import { SegmentedControl, Select, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Panel } from "../parts/Record.tsx";
import { LANGUAGES, type Language } from "../words/language.ts";
import { useWords } from "../words/words.ts";
import { addressOf } from "./apps/app-icon.ts";
import type { Theme } from "./page-trial.ts";
import { PictureField } from "./PictureField.tsx";
import classes from "./subscription.module.css";

const NAMES = Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }));
/** Characters of a logo's address, as the panel takes it. */
const LOGO_LENGTH = 16_384;

export function ThemePanel({
  theme,
  writes,
  problem,
  onChange,
}: {
  readonly theme: Theme;
  readonly writes: boolean;
  readonly problem: string | undefined;
  readonly onChange: (theme: Theme) => void;
}) {
  const words = useWords("subscription");
  const [textsOf, setTextsOf] = useState<Language>("en");
  const texts = theme.texts[textsOf] ?? { notice: "", footer: "" };
  const set = (part: Partial<Theme>) => onChange({ ...theme, ...part });
  const say = (part: Partial<typeof texts>) => set({ texts: { ...theme.texts, [textsOf]: { ...texts, ...part } } });
  return (
    <>
      <Panel title={words.look}>
        <Stack gap="sm">
          {problem === undefined ? null : (
            <Text c="red" size="sm" role="alert">
              {problem}
            </Text>
          )}
          <TextInput
            label={words.name}
            description={words.nameNote}
            dir="auto"
            maxLength={64}
            disabled={!writes}
            value={theme.title}
            onChange={(event) => set({ title: event.currentTarget.value })}
          />
          <TextInput
            type="color"
            className={classes["swatch"] ?? ""}
            label={words.colour}
            disabled={!writes}
            value={theme.colour}
            onChange={(event) => set({ colour: event.currentTarget.value })}
          />
          <PictureField
            label={words.logo}
            note={words.logoNote}
            tooLarge={words.logoLarge}
            length={LOGO_LENGTH}
            value={theme.logo}
            writes={writes}
            read={addressOf}
            onChange={(logo) => set({ logo })}
          />
          <Select
            label={words.scheme}
            disabled={!writes}
            allowDeselect={false}
            value={theme.scheme}
            data={Object.entries(words.schemes).map(([value, label]) => ({ value, label }))}
            onChange={(scheme) => scheme !== null && set({ scheme: scheme as Theme["scheme"] })}
          />
          <Select
            label={words.language}
            disabled={!writes}
            allowDeselect={false}
            value={theme.language}
            data={NAMES}
            onChange={(language) => language !== null && set({ language: language as Theme["language"] })}
          />
          <Switch
            label={words.servers}
            disabled={!writes}
            checked={theme.servers}
            onChange={(event) => set({ servers: event.currentTarget.checked })}
          />
        </Stack>
      </Panel>
      <Panel title={words.texts}>
        <Stack gap="sm">
          <SegmentedControl
            aria-label={words.textsOf}
            value={textsOf}
            data={NAMES}
            onChange={(next) => setTextsOf(next as Language)}
          />
          {(["notice", "footer"] as const).map((part) => (
            <Textarea
              key={part}
              label={words[part]}
              dir={LANGUAGES[textsOf].direction}
              autosize
              minRows={2}
              maxLength={500}
              disabled={!writes}
              value={texts[part]}
              onChange={(event) => say({ [part]: event.currentTarget.value })}
            />
          ))}
        </Stack>
      </Panel>
    </>
  );
}
