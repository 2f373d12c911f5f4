// Language, theme, calendar and zone of this browser. Everything changes at once.
import { SegmentedControl, Select, Stack } from "@mantine/core";
import { useId, type ReactNode } from "react";
import { Panel } from "../parts/Record.tsx";
import { useMe } from "../session/me.ts";
import { browserZone, usePreferences } from "../browser/preferences.ts";
import { ThemeSwitch } from "../shell/ThemeSwitch.tsx";
import { LANGUAGES, type Language } from "../words/language.ts";
import { useWords } from "../words/words.ts";
import classes from "./me.module.css";

export function ShownPanel() {
  const { shown: words } = useWords("me");
  const { timezone } = useMe();
  const { calendar, zone, language, choose, chooseLanguage } = usePreferences();
  return (
    <Panel title={words.title}>
      <p className={classes["note"]}>{words.note}</p>
      <Stack gap="sm">
        <Select
          label={words.language}
          data={Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }))}
          value={language}
          onChange={(chosen) => chosen !== null && chooseLanguage(chosen as Language)}
          allowDeselect={false}
        />
        <Choice label={words.theme}>{() => <ThemeSwitch labelled />}</Choice>
        <Choice label={words.calendar}>
          {(id) => (
            <SegmentedControl
              size="xs"
              aria-labelledby={id}
              value={calendar}
              onChange={(value) => choose({ calendar: value })}
              data={(["gregory", "persian"] as const).map((value) => ({ value, label: words.calendars[value] }))}
            />
          )}
        </Choice>
        <Select
          label={words.zone}
          data={[
            { value: "panel", label: timezone === "" ? words.zones.panelUnknown : words.zones.panel(timezone) },
            { value: "browser", label: words.zones.browser(browserZone()) },
          ]}
          value={zone}
          onChange={(chosen) => chosen !== null && choose({ zone: chosen })}
          allowDeselect={false}
        />
      </Stack>
    </Panel>
  );
}

function Choice({ label, children }: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={classes["choice"]}>
      <span id={id}>{label}</span>
      {children(id)}
    </div>
  );
}
