// The page of one record: not there, not loaded, or its frame: name and state, buttons and keys of its verbs, tabs in
// the address, and the records before and after it in the list that the person came from.
import { ActionIcon, Button } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { lazy, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { useKeys, type KeyMap } from "../browser/keys.ts";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { Answer, Empty, LoadingLines, type AnswerOf } from "./Answer.tsx";
import { LateMenu } from "./LateMenu.tsx";
import { Name } from "./Names.tsx";
import { PageHead } from "./Record.tsx";
import type { RowAction } from "./table/columns.ts";
import { neighboursOf } from "./table/neighbours.ts";
import { UrlTabs, type UrlTab } from "./UrlTabs.tsx";
import type { Verbs } from "./use-verbs.tsx";

const loadMenu = () => import("./RecordMenu.tsx");
const RecordMenu = lazy(loadMenu);

/** The list that a record is in. */
export interface RecordList {
  /** The `id` of its table. */
  readonly id: string;
  readonly href: string;
  readonly title: string;
}

export interface RecordPageProps<T> {
  readonly of: AnswerOf<T>;
  readonly list: RecordList;
  /** What to say of one that does not exist. */
  readonly missing: { readonly title: string; readonly text?: string };
  readonly children: (record: T) => ReactNode;
}

export function RecordPage<T>({ of, list, missing, children }: RecordPageProps<T>) {
  const parts = useWords("parts");
  // Without the record the page is that of its list: with a heading, and a way back.
  const head = <PageHead title={list.title} back={{ href: list.href, label: list.title }} />;
  if (of.error?.status === 404 && !of.isFetching) {
    return (
      <>
        {head}
        <Empty
          {...missing}
          action={
            <Button component={Link} href={list.href} variant="default">
              {parts.toList}
            </Button>
          }
        />
      </>
    );
  }
  return (
    <>
      {of.error && of.data === undefined ? head : null}
      <Answer of={of} loading={<LoadingLines lines={8} />}>
        {children}
      </Answer>
    </>
  );
}

export interface RecordFrameProps<T> {
  readonly record: T;
  readonly name: string;
  readonly list: RecordList;
  /** The record's own address. */
  readonly href: string;
  readonly verbs: Verbs<T>;
  /** Beside the name: its state. */
  readonly beside?: ReactNode;
  readonly under?: ReactNode;
  /** Before the buttons: a switch. */
  readonly controls?: ReactNode;
  /** One tab alone has no tab above it. */
  readonly tabs: readonly (UrlTab | false)[];
}

export function RecordFrame<T>(frame: RecordFrameProps<T>) {
  const { record, name, list, href, verbs, beside, under, controls } = frame;
  const parts = useWords("parts");
  const [, navigate] = useLocation();
  const actions = verbs.of(record);
  const tabs = frame.tabs.filter((tab) => tab !== false);
  const { list: left, before, after } = neighboursOf(list.id, href);
  usePageTitle(name);
  useKeys({
    ...keysOf(actions),
    "[": { label: parts.keyBefore, run: () => before !== undefined && navigate(before), enabled: before !== undefined },
    "]": { label: parts.keyAfter, run: () => after !== undefined && navigate(after), enabled: after !== undefined },
  });
  return (
    <>
      <PageHead
        title={<Name>{name}</Name>}
        beside={beside}
        under={under}
        back={{ href: left ?? list.href, label: list.title }}
        actions={
          controls || actions.length > 0 ? (
            <>
              {controls}
              <RecordActions name={name} actions={actions} busy={verbs.busy(record)} />
            </>
          ) : undefined
        }
      />
      {tabs.length === 1 ? tabs[0]?.content : <UrlTabs tabs={tabs} />}
      {verbs.dialogs}
    </>
  );
}

function keysOf(actions: readonly RowAction[]): KeyMap {
  return Object.fromEntries(
    actions.flatMap(({ key, label, run, disabled }) =>
      key === undefined ? [] : [[key, { label, run, enabled: disabled === undefined }] as const],
    ),
  );
}

interface RecordActionsProps {
  readonly name: string;
  readonly actions: readonly RowAction[];
  readonly busy: boolean;
}

/** The usual verbs as buttons, the others behind the dots. Why one cannot be done is said below its name. */
function RecordActions({ name, actions, busy }: RecordActionsProps) {
  const parts = useWords("parts");
  const listed = actions.filter(({ button }) => !button);
  return (
    <>
      {actions
        .filter(({ button }) => button)
        .map(({ id, label, icon, disabled, run }) => (
          <Button
            key={id}
            variant="default"
            leftSection={icon}
            disabled={disabled !== undefined}
            title={disabled ?? ""}
            loading={busy}
            onClick={run}
          >
            {label}
          </Button>
        ))}
      {listed.length === 0 ? null : (
        <LateMenu
          load={loadMenu}
          button={(props) => (
            <ActionIcon variant="default" size={36} aria-label={parts.actionsOf(name)} {...props}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          )}
        >
          {(button) => <RecordMenu button={button} actions={listed} />}
        </LateMenu>
      )}
    </>
  );
}
