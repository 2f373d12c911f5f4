// The command palette: pages, what the open page can do, users and nodes by name, their actors. Everything by keyboard.
import { Spotlight, createSpotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { useDebouncedValue } from "@mantine/hooks";
import {
  IconBolt,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconRoute,
  IconSearch,
  IconServer,
  IconUser,
  IconUserCircle,
} from "@tabler/icons-react";
import { useMantineColorScheme } from "@mantine/core";
import { useEffect, useState, type ComponentType } from "react";
import { useLocation } from "wouter";
import { useApi, type Listing } from "../api/queries.ts";
import { barOf } from "../page.ts";
import { PAGES } from "../pages.ts";
import { useCan, useMe } from "../session/me.ts";
import { signOut } from "../session/session.ts";
import { LANGUAGES, type Language } from "../words/language.ts";
import { useWords } from "../words/words.ts";
import { useOfferedActions } from "./palette-actions.ts";
import { usePreferences } from "../browser/preferences.ts";
import { kept } from "../browser/use-kept.ts";
import { useAllWords } from "./words.ts";
import classes from "./palette.module.css";

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly note?: string;
  readonly icon: ComponentType<{ readonly size?: number | string; readonly stroke?: number | string }>;
  readonly run: () => void;
}

interface Named {
  readonly id: number | string;
  readonly name: string;
}

const [store, spotlight] = createSpotlight();
const MOST = 6;

export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const words = useWords("shell");
  const [typed, setTyped] = useState("");
  useEffect(() => spotlight.open(), []);
  const fixed = useFixed(typed);
  const found = useFound(typed.trim());
  const groups = [...fixed, ...found.groups].filter(({ entries }) => entries.length > 0);
  const first = groups[0]?.entries[0]?.id;
  // The first entry is the one that Enter takes, also when answers arrive above it.
  useEffect(() => {
    if (first !== undefined) selectFirst();
  }, [first]);
  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      onSpotlightClose={onClose}
      shortcut={null}
      scrollable
      maxHeight={420}
      radius="lg"
      classNames={{
        inner: classes["inner"] ?? "",
        actionsGroup: classes["group"] ?? "",
        action: classes["action"] ?? "",
      }}
    >
      <Spotlight.Search
        placeholder={words.searchFor}
        aria-label={words.searchFor}
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ title, entries }) => (
          <Spotlight.ActionsGroup key={title} label={title}>
            {entries.map(({ id, label, note, icon: Icon, run }) => (
              <Spotlight.Action
                key={id}
                leftSection={<Icon size={17} stroke={1.75} />}
                onClick={run}
                label={label}
                {...(note === undefined ? {} : { description: note })}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 ? (
          <Spotlight.Empty>
            {found.asking ? words.searching : found.failed ? words.searchRefused : words.nothingFound(typed)}
          </Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** The library marks its selection on the elements themselves, and moves on from the store's index. */
function selectFirst(): void {
  const { listId } = store.getState();
  const list = listId === "" ? null : document.querySelector(`#${CSS.escape(listId)}`);
  for (const selected of list?.querySelectorAll("[data-selected]") ?? []) selected.removeAttribute("data-selected");
  list?.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}

interface EntryGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Every word that was typed stands somewhere in the label. */
function matches(label: string, typed: string): boolean {
  const text = label.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Pages and actions; no question to the panel. */
function useFixed(typed: string): readonly EntryGroup[] {
  const words = useWords("shell");
  const all = useAllWords();
  const can = useCan();
  const me = useMe();
  const [, navigate] = useLocation();
  const offered = useOfferedActions();
  const { chooseLanguage, language } = usePreferences();
  const { setColorScheme } = useMantineColorScheme();
  const pages = PAGES.filter(
    (page) => !page.open && !page.hidden && !page.path.includes(":") && barOf(page, can, me) === undefined,
  ).map(({ path, title, nav, creates }): Entry => ({
    id: path,
    label: title(all),
    icon: nav?.icon ?? (creates ? IconBolt : IconUserCircle),
    run: () => navigate(path),
  }));
  const actions: readonly Entry[] = [
    ...offered.map(({ id, label, run }): Entry => ({ id: `offered ${id}`, label, icon: IconBolt, run })),
    ...(["light", "dark", "auto"] as const).map((scheme): Entry => ({
      id: `theme ${scheme}`,
      label: `${words.account.theme}: ${words.themes[scheme]}`,
      icon: IconMoon,
      run: () => {
        setColorScheme(scheme);
        kept.set("theme", scheme);
      },
    })),
    ...Object.entries(LANGUAGES)
      .filter(([tag]) => tag !== language)
      .map(([tag, { name }]): Entry => ({
        id: `language ${tag}`,
        label: `${words.account.language}: ${name}`,
        icon: IconLanguage,
        run: () => chooseLanguage(tag as Language),
      })),
    { id: "sign out", label: words.account.signOut, icon: IconLogout, run: () => void signOut() },
  ];
  const shown = (entries: readonly Entry[]): readonly Entry[] => entries.filter(({ label }) => matches(label, typed));
  return [
    { title: words.found.pages, entries: shown(pages) },
    // Before a word is typed only what the page itself offers.
    { title: words.found.actions, entries: typed === "" ? actions.slice(0, offered.length) : shown(actions) },
  ];
}

/** Users, nodes and actors whose name, id or address has what was typed. */
function useFound(typed: string): {
  readonly groups: readonly EntryGroup[];
  readonly asking: boolean;
  readonly failed: boolean;
} {
  const words = useWords("shell");
  const can = useCan();
  const [, navigate] = useLocation();
  const [q] = useDebouncedValue(typed, 150);
  const query = { q, limit: MOST };
  const wanted = q.length >= 2;
  const users = useApi<Listing<Named>>("/users", query, { enabled: wanted && can("users:read") });
  const nodes = useApi<Listing<Named>>("/nodes", query, { enabled: wanted && can("nodes:read") });
  const entry = (kind: string, to: string, { id, name }: Named, icon: Entry["icon"], note?: string): Entry => ({
    id: `${kind} ${to} ${String(id)}`,
    label: name,
    icon,
    run: () => navigate(`${to}/${encodeURIComponent(String(id))}`),
    ...(note === undefined ? {} : { note }),
  });
  const userHits = wanted ? (users.data?.items ?? []) : [];
  const nodeHits = wanted ? (nodes.data?.items ?? []) : [];
  const actors = can("stats:read")
    ? [...nodeHits.map((hit) => ({ kind: "node", hit })), ...userHits.map((hit) => ({ kind: "user", hit }))].slice(
        0,
        MOST,
      )
    : [];
  return {
    groups: [
      { title: words.found.users, entries: userHits.map((hit) => entry("user", "/users", hit, IconUser)) },
      { title: words.found.nodes, entries: nodeHits.map((hit) => entry("node", "/nodes", hit, IconServer)) },
      {
        title: words.found.actors,
        entries: actors.map(({ kind, hit }) =>
          entry("actor", `/inspect/${kind}`, hit, IconRoute, `${kind} ${String(hit.id)}`),
        ),
      },
    ],
    asking: typed !== q || users.isFetching || nodes.isFetching,
    failed: users.isError || nodes.isError,
  };
}
