// The apps that the subscription page offers: by platform, in their order, each as a form; or all of them as JSON.
import { ActionIcon, Button, Group, SegmentedControl, Text, UnstyledButton } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { OrderedList } from "../parts/order/OrderedList.tsx";
import { useWords } from "../words/words.ts";
import { AppForm } from "./apps/AppForm.tsx";
import { appsOn, movedOn, PLATFORMS, withoutOn, type App, type Platform } from "./apps/app-list.ts";
import { ListOrJson } from "./ListOrJson.tsx";
import { jsonIn } from "./page-trial.ts";
import classes from "./subscription.module.css";

export interface AppsPanelProps {
  /** What is typed or stored; empty: the panel's own list. */
  readonly value: string;
  /** What the preview is made of. */
  readonly shown: readonly App[] | undefined;
  readonly platform: Platform;
  readonly writes: boolean;
  /** Why the whole of it was refused. */
  readonly problem: string | undefined;
  /** What is wrong, by path: `apps.0.name`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onPlatform: (platform: Platform) => void;
  readonly onChange: (value: string) => void;
}

export function AppsPanel(props: AppsPanelProps) {
  const { value, shown, writes, problem, onChange } = props;
  const words = useWords("subscription");
  const typed = jsonIn(value);
  const apps = Array.isArray(typed) ? (typed as readonly App[]) : value === "" ? (shown ?? []) : undefined;
  return (
    <ListOrJson
      title={words.apps}
      text={words.appsText}
      label={words.appsLabel}
      reset={words.appsReset}
      value={value}
      own={shown}
      lines={{ min: 6, max: 18 }}
      writes={writes}
      problem={problem}
      onChange={onChange}
    >
      {apps && <AppList {...props} apps={apps} />}
    </ListOrJson>
  );
}

function AppList({
  apps,
  platform,
  writes,
  problems,
  onPlatform,
  onChange,
}: AppsPanelProps & { readonly apps: readonly App[] }) {
  const words = useWords("subscription");
  /** The app whose fields are shown, by its place in the whole list. */
  const [opened, setOpened] = useState<number>();
  const listed = appsOn(apps, platform);
  const put = (next: readonly App[]) => onChange(JSON.stringify(next));
  return (
    <>
      <SegmentedControl
        aria-label={words.app.platform}
        className={classes["platforms"] ?? ""}
        value={platform}
        data={[...PLATFORMS]}
        onChange={(next) => {
          const chosen = PLATFORMS.find(({ value }) => value === next);
          setOpened(undefined);
          if (chosen) onPlatform(chosen.value);
        }}
      />
      {listed.length === 0 ? <Text size="sm">{words.app.none}</Text> : null}
      <OrderedList
        rows={listed}
        nameOf={({ app }) => app.name}
        words={words}
        onMove={
          writes
            ? (from, to) => {
                setOpened(undefined);
                put(movedOn(apps, platform, from, to));
              }
            : undefined
        }
      >
        {({ app, place }) => {
          const begins = `apps.${place}.`;
          const wrong = Object.fromEntries(
            Object.entries(problems)
              .filter(([path]) => path.startsWith(begins))
              .map(([path, text]) => [path.slice(begins.length), text]),
          );
          return (
            <>
              <Group gap="xs" wrap="nowrap" mih={36}>
                <UnstyledButton
                  className={classes["rule"] ?? ""}
                  aria-expanded={opened === place}
                  onClick={() => setOpened(opened === place ? undefined : place)}
                >
                  {app.icon === undefined ? null : <img src={app.icon} alt="" className={classes["icon"]} />}
                  <bdi className={classes["said"]}>{app.name}</bdi>
                </UnstyledButton>
                {writes ? (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={words.removeOf(app.name)}
                    onClick={() => {
                      setOpened(undefined);
                      put(withoutOn(apps, platform, place));
                    }}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                ) : null}
              </Group>
              {opened === place && writes ? (
                <AppForm
                  app={app}
                  platform={platform}
                  problems={wrong}
                  onChange={(next) => put(apps.map((each, index) => (index === place ? next : each)))}
                />
              ) : (
                Object.entries(wrong).map(([field, text]) => (
                  <Text key={field} size="xs" c="red">
                    {field}: {text}
                  </Text>
                ))
              )}
            </>
          );
        }}
      </OrderedList>
      {writes ? (
        <Group>
          <Button
            variant="default"
            size="sm"
            onClick={() => {
              put([...apps, { name: words.app.fresh, stores: { [platform]: "" } }]);
              setOpened(apps.length);
            }}
          >
            {words.app.add}
          </Button>
        </Group>
      ) : null}
    </>
  );
}
