// What subscribers get: the page that they see, with its look, texts and apps, and which app gets which format.
import { Alert, Select, Text } from "@mantine/core";
import { useState } from "react";
import { useApi, type Listing } from "../api/queries.ts";
import { Answer, LoadingLines } from "../parts/Answer.tsx";
import { PageHead, Panel } from "../parts/Record.tsx";
import { fieldProblems, refusalText } from "../parts/refusal.ts";
import { UrlTabs } from "../parts/UrlTabs.tsx";
import { useCan } from "../session/me.ts";
import { SaveBar } from "../settings/SaveBar.tsx";
import type { Setting } from "../settings/setting.ts";
import { useSettingsDraft } from "../settings/use-settings.ts";
import { usePageTitle } from "../browser/title.ts";
import { LANGUAGES } from "../words/language.ts";
import { useWords } from "../words/words.ts";
import { AppsPanel } from "./AppsPanel.tsx";
import { PageFrame } from "./PageFrame.tsx";
import { jsonIn, usePageTrial, type Theme, type Trial } from "./page-trial.ts";
import { RulesTab } from "./rules/RulesTab.tsx";
import { ThemePanel } from "./ThemePanel.tsx";
import classes from "./subscription.module.css";

const KEYS = ["sub_theme", "sub_apps", "sub_rules"];
const ALL = { limit: 1000 };

export default function SubscriptionPage() {
  const words = useWords("subscription");
  const settings = useApi<Listing<Setting>>("/settings", ALL);
  usePageTitle(words.title);
  return (
    <>
      <PageHead title={words.title} under={words.text} />
      <Answer of={settings} loading={<LoadingLines lines={10} />}>
        {({ items }) => <Design rows={items.filter(({ key }) => KEYS.includes(key))} />}
      </Answer>
    </>
  );
}

function Design({ rows }: { readonly rows: readonly Setting[] }) {
  const words = useWords("subscription");
  const parts = useWords("parts");
  const draft = useSettingsDraft(rows, "subscription");
  const can = useCan();
  const writes = can("settings:write");
  const [language, setLanguage] = useState<NonNullable<Trial["language"]>>("en");
  const [status, setStatus] = useState<NonNullable<Trial["status"]>>("active");
  const [platform, setPlatform] = useState<NonNullable<Trial["platform"]>>("android");
  const typed = (key: string) => draft.changed[key] ?? rows.find((row) => row.key === key)?.value ?? "";
  const apps = typed("sub_apps");
  const trial = usePageTrial({
    ...(jsonIn(typed("sub_theme")) === undefined ? {} : { theme: jsonIn(typed("sub_theme")) as Trial["theme"] }),
    ...(jsonIn(apps) === undefined ? {} : { apps: jsonIn(apps) as Trial["apps"] }),
    language,
    status,
    platform,
  });
  const theme = themeIn(typed("sub_theme"), trial.data?.theme);
  const count = Object.keys(draft.changed).length;
  const page = (
    <div className={classes["page"]}>
      <div className={classes["fields"]}>
        {theme && (
          <ThemePanel
            theme={theme}
            writes={writes}
            problem={draft.problems["sub_theme"]}
            onChange={(next) => draft.set("sub_theme", JSON.stringify(next))}
          />
        )}
        <AppsPanel
          value={apps}
          shown={trial.data?.apps}
          platform={platform}
          writes={writes}
          problem={draft.problems["sub_apps"]}
          problems={trial.error ? fieldProblems(trial.error, parts) : {}}
          onPlatform={setPlatform}
          onChange={(next) => draft.set("sub_apps", next)}
        />
      </div>
      <div className={classes["beside"]}>
        <Panel title={words.preview}>
          <Select
            label={words.seen}
            value={language}
            allowDeselect={false}
            data={Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }))}
            onChange={(next) => next !== null && setLanguage(next as typeof language)}
          />
          <Select
            mt="xs"
            mb="sm"
            label={words.state}
            value={status}
            allowDeselect={false}
            data={Object.entries(words.states).map(([value, label]) => ({ value, label }))}
            onChange={(next) => next !== null && setStatus(next as typeof status)}
          />
          {trial.error && (
            <Alert color="red" variant="light" mb="sm">
              {words.refused} <Text component="span">{refusalText(trial.error, parts).cause}</Text>
            </Alert>
          )}
          {trial.data && <PageFrame html={trial.data.html} label={words.previewOf} />}
        </Panel>
      </div>
    </div>
  );
  const rules = (
    <RulesTab
      value={typed("sub_rules")}
      isChanged={draft.changed["sub_rules"] !== undefined}
      writes={writes}
      problem={draft.problems["sub_rules"]}
      onChange={(next) => draft.set("sub_rules", next)}
    />
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (count > 0 && !draft.busy) void draft.save();
      }}
    >
      {writes && !can("users:read") ? (
        <Alert color="gray" variant="light" mb="sm">
          {parts.leadsByLinks}
        </Alert>
      ) : null}
      <UrlTabs
        tabs={[
          { id: "page", label: words.tabs.page, content: page },
          { id: "rules", label: words.tabs.rules, content: rules },
        ]}
      />
      {count > 0 && <SaveBar count={count} busy={draft.busy} discard={draft.discard} />}
    </form>
  );
}

/** The theme that is typed, with what it leaves out as the panel told it. */
function themeIn(text: string, told: Theme | undefined): Theme | undefined {
  const own = jsonIn(text);
  return told && { ...told, ...(typeof own === "object" ? own : {}) };
}
