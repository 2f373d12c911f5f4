// Above a table: search, filters, and which columns are shown.
import { ActionIcon, Button, CloseButton, Drawer, Group, Menu, SegmentedControl, Text, TextInput } from "@mantine/core";
import { IconColumns3, IconDownload, IconFilter, IconSearch } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { ApiError } from "../../api/call.ts";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import { sayFailed } from "../../shell/toasts.tsx";
import { refusalText } from "../refusal.ts";
import type { Column, ColumnChoice, Density } from "./columns.ts";
import type { ListQuery } from "./list-query.ts";
import { SEARCH_ID } from "./search-field.ts";
import classes from "./table.module.css";

interface ToolbarProps<T> {
  readonly query: ListQuery;
  readonly search: string | undefined;
  readonly filters: ReactNode;
  readonly columns: readonly Column<T>[];
  readonly choice: ColumnChoice<T>;
  readonly density: readonly [Density, (density: Density) => void];
  readonly phone: boolean;
  readonly readSearch: ((typed: string) => string) | undefined;
  /** The menu of named views. */
  readonly views: ReactNode;
  /** Saves the list as a file. */
  readonly save: (() => Promise<void>) | undefined;
}

export function Toolbar<T>({
  query,
  search,
  filters,
  columns,
  choice,
  density,
  phone,
  readSearch,
  views,
  save,
}: ToolbarProps<T>) {
  return (
    <div className={classes["toolbar"]}>
      {search === undefined ? null : <Search query={query} placeholder={search} read={readSearch} />}
      {phone ? (
        <>
          <FilterSheet query={query} filters={filters} />
          {views}
        </>
      ) : (
        <>
          <div className={classes["filters"]}>{filters}</div>
          {views}
          {save && columns.some(({ text }) => text) ? <SaveFile save={save} /> : null}
          <Columns columns={columns} choice={choice} density={density} />
        </>
      )}
    </div>
  );
}

/** On a phone all filters lie behind one button, which says how many are set. */
function FilterSheet({ query, filters }: { readonly query: ListQuery; readonly filters: ReactNode }) {
  const words = useWords("parts");
  const format = useFormat();
  const [opened, setOpened] = useState(false);
  const set = Object.keys(query.filters).length;
  if (!filters) return null;
  return (
    <>
      <Button
        variant={set > 0 ? "light" : "default"}
        size="md"
        leftSection={<IconFilter size={17} aria-hidden />}
        onClick={() => setOpened(true)}
        aria-haspopup="dialog"
      >
        {set > 0 ? `${words.filter} · ${format.number(set)}` : words.filter}
      </Button>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        classNames={{ content: classes["sheetFrame"] ?? "", header: classes["sheetHead"] ?? "" }}
        title={<Text fw={600}>{words.filter}</Text>}
        closeButtonProps={{ "aria-label": words.close }}
      >
        <div className={classes["sheet"]}>
          {filters}
          <Group grow>
            <Button variant="default" size="md" onClick={query.reset} disabled={!query.filtered}>
              {words.clear}
            </Button>
            <Button size="md" onClick={() => setOpened(false)}>
              {words.show}
            </Button>
          </Group>
        </div>
      </Drawer>
    </>
  );
}

const TYPING_MS = 250;

interface SearchProps {
  readonly query: ListQuery;
  readonly placeholder: string;
  readonly read: ToolbarProps<unknown>["readSearch"];
}

function Search({ query, placeholder, read }: SearchProps) {
  const words = useWords("parts");
  const [typed, setTyped] = useState(query.q);
  const [known, setKnown] = useState(query.q);
  // Back, or a cleared filter, changed the address beside the input.
  if (known !== query.q) {
    setKnown(query.q);
    setTyped(query.q);
  }
  const { set } = query;
  const search = useEffectEvent((text: string) => set({ q: read?.(text) ?? text }));
  useEffect(() => {
    if (typed === known) return undefined;
    const timer = setTimeout(() => {
      setKnown(typed);
      search(typed.trim());
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, known]);
  return (
    <TextInput
      id={SEARCH_ID}
      className={classes["search"] ?? ""}
      type="search"
      size="sm"
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={
        typed === "" ? null : <CloseButton size="sm" aria-label={words.clearSearch} onClick={() => setTyped("")} />
      }
      placeholder={placeholder}
      aria-label={placeholder}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
    />
  );
}

function SaveFile({ save }: { readonly save: () => Promise<void> }) {
  const words = useWords("parts");
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    try {
      await save();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { title, cause } = refusalText(error, words);
      sayFailed(title, cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={words.saveList}
      title={words.saveList}
      loading={busy}
      onClick={() => void go()}
    >
      <IconDownload size={17} aria-hidden />
    </ActionIcon>
  );
}

function Columns<T>({
  columns,
  choice,
  density: [density, setDensity],
}: Pick<ToolbarProps<T>, "columns" | "choice" | "density">) {
  const words = useWords("parts");
  return (
    <Menu position="bottom-end" closeOnItemClick={false} shadow="md" width={230}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={words.columns} title={words.columns}>
          <IconColumns3 size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.columns}</Menu.Label>
        {columns
          .filter(({ card }) => card !== "title")
          .map(({ id, header }) => (
            <Menu.CheckboxItem key={id} checked={choice.has(id)} onChange={() => choice.toggle(id)}>
              {header}
            </Menu.CheckboxItem>
          ))}
        <Menu.Divider />
        <Menu.Label>{words.rowHeight}</Menu.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          value={density}
          onChange={(value) => setDensity(value === "compact" ? "compact" : "comfortable")}
          data={[
            { value: "comfortable", label: words.comfortable },
            { value: "compact", label: words.compact },
          ]}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
