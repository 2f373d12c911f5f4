// The named views of a list: one click shows one, a name keeps what is shown now.
import { Button, CloseButton, Group, Popover, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../words/words.ts";
import { useTakesOver, type ButtonOf } from "../LateMenu.tsx";
import classes from "./table.module.css";
import type { ReadyView, ViewMenuProps } from "./ViewMenu.tsx";
import { useViews, type View } from "./views.ts";

interface ViewListProps extends ViewMenuProps {
  readonly button: ButtonOf;
}

export default function ViewList({ table, query, choice, ready, button }: ViewListProps) {
  const words = useWords("parts");
  const views = useViews(table);
  const takesOver = useTakesOver();
  const [opened, setOpened] = useState(true);
  const [name, setName] = useState("");
  const show = (view: ReadyView & Partial<View>) => {
    if (view.columns) choice.put(view.columns);
    query.go(view.address);
    setOpened(false);
  };
  const keep = () => {
    if (name.trim() === "") return;
    views.keep({ name: name.trim(), address: query.address, columns: choice.chosen });
    setName("");
  };
  return (
    <Popover
      opened={opened && takesOver.ready}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      width={260}
      trapFocus
      returnFocus
    >
      <Popover.Target>{button({ ref: takesOver.ref, onClick: () => setOpened(!opened) })}</Popover.Target>
      <Popover.Dropdown p={6}>
        <Stack gap={2}>
          {[...ready, ...views.all].map((view) => (
            <Group key={view.name} gap={0} wrap="nowrap" className={classes["view"] ?? ""}>
              <UnstyledButton
                className={classes["viewName"] ?? ""}
                aria-pressed={query.address === view.address}
                onClick={() => show(view)}
              >
                <bdi>{view.name}</bdi>
              </UnstyledButton>
              {"columns" in view ? (
                <CloseButton size="sm" aria-label={words.dropView(view.name)} onClick={() => views.drop(view.name)} />
              ) : null}
            </Group>
          ))}
          {ready.length + views.all.length === 0 ? (
            <Text size="sm" c="dimmed" p={6}>
              {words.noViews}
            </Text>
          ) : null}
          <form
            className={classes["viewForm"]}
            onSubmit={(event) => {
              event.preventDefault();
              keep();
            }}
          >
            <TextInput
              size="xs"
              flex={1}
              maxLength={60}
              placeholder={words.viewName}
              aria-label={words.viewName}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button size="xs" type="submit" variant="default" disabled={name.trim() === ""}>
              {words.save}
            </Button>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
