// Above a table: search, filters, and which columns are shown.
import { ActionIcon, Button, CloseButton, Group, TextInput } from "@mantine/core";
import { IconColumns3, IconDownload, IconFilter, IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { ApiError } from "../../api/call.ts";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import { sayFailed } from "../../browser/toasts.tsx";
import { LateMenu } from "../LateMenu.tsx";
import { refusalText } from "../refusal.ts";
import type { Column, ColumnChoice, Density } from "./columns.ts";
import type { ListQuery } from "./list-query.ts";
import { SEARCH_ID } from "./search-field.ts";
import classes from "./table.module.css";

const loadColumns = () => import("./ColumnMenu.tsx");
const ColumnMenu = lazy(loadColumns);
const Sheet = lazy(() => import("./Sheet.tsx"));

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
  const words = useWords("parts");
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
          <LateMenu
            load={loadColumns}
            button={(props) => (
              <ActionIcon variant="default" size={36} aria-label={words.columns} title={words.columns} {...props}>
                <IconColumns3 size={17} aria-hidden />
              </ActionIcon>
            )}
          >
            {(button) => (
              <ColumnMenu {...{ button, choice, density }} columns={columns.filter(({ card }) => card !== "title")} />
            )}
          </LateMenu>
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
  const [used, setUsed] = useState(false);
  const set = Object.keys(query.filters).length;
  if (!filters) return null;
  return (
    <>
      <Button
        variant={set > 0 ? "light" : "default"}
        size="md"
        leftSection={<IconFilter size={17} aria-hidden />}
        onClick={() => {
          setUsed(true);
          setOpened(true);
        }}
        aria-haspopup="dialog"
      >
        {set > 0 ? `${words.filter} · ${format.number(set)}` : words.filter}
      </Button>
      <Suspense>
        {used ? (
          <Sheet opened={opened} onClose={() => setOpened(false)} title={words.filter}>
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
          </Sheet>
        ) : null}
      </Suspense>
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
