// The named views of a list: one click shows one, a name keeps what is shown now.
import { ActionIcon, Button, CloseButton, Group, Popover, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "../../words/words.ts";
import type { ColumnChoice } from "./columns.ts";
import type { ListQuery } from "./list-query.ts";
import classes from "./table.module.css";
import { useViews, type View } from "./views.ts";

export interface ReadyView {
  readonly name: string;
  readonly address: string;
}

interface ViewMenuProps<T> {
  readonly table: string;
  readonly query: ListQuery;
  readonly choice: ColumnChoice<T>;
  /** Views that the page itself offers; they leave the columns alone. */
  readonly ready: readonly ReadyView[];
}

export function ViewMenu<T>({ table, query, choice, ready }: ViewMenuProps<T>) {
  const words = useWords("parts");
  const views = useViews(table);
  const [opened, setOpened] = useState(false);
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
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" width={260} trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={words.views}
          title={words.views}
          onClick={() => setOpened(!opened)}
        >
          <IconBookmark size={17} aria-hidden />
        </ActionIcon>
      </Popover.Target>
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
