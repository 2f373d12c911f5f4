// What happens, as it happens, and what happened before: selected by name and by record in the address.
import { Button, Pill, Select, TextInput } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { Empty, Failure, LoadingLines } from "../parts/Answer.tsx";
import { Code } from "../parts/Names.tsx";
import { PageHead } from "../parts/Record.tsx";
import { useKeys } from "../browser/keys.ts";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { EventRow } from "./EventRow.tsx";
import { FeedSign } from "./FeedSign.tsx";
import { entityOf, nameOf } from "./raised-event.ts";
import { useEventFeed } from "./use-event-feed.ts";
import { useEventNames } from "./use-event-names.ts";
import { useHold } from "./use-hold.ts";
import classes from "./events.module.css";

export default function EventsPage() {
  const words = useWords("events");
  const [search, setSearch] = useSearchParams();
  const event = search.get("event") ?? "";
  const entity = search.get("entity") ?? "";
  const q = search.get("q") ?? "";
  const { feed, picture } = useEventFeed({ event, entity, q });
  const [paused, setPaused] = useState(false);
  const hold = useHold(feed, paused);
  const names = useEventNames(event);
  usePageTitle(words.title);
  const select = (change: Readonly<Record<string, string | null>>) =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      for (const [name, value] of Object.entries(change)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      return next;
    });
  const about = picture.rows.find((row) => entityOf(row) === entity);
  const filtered = event !== "" || entity !== "" || q !== "";
  return (
    <>
      <PageHead
        title={words.title}
        beside={<FeedSign link={picture.link} held={hold.held} />}
        actions={
          <Button
            variant="default"
            leftSection={paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
            aria-pressed={paused}
            onClick={() => setPaused(!paused)}
          >
            {paused ? words.follow : words.pause}
          </Button>
        }
      />
      <div className={classes["filters"]}>
        <EventSearch q={q} find={(text) => select({ q: text === "" ? null : text })} />
        <Select
          aria-label={words.event}
          placeholder={words.any}
          value={event === "" ? null : event}
          data={names.map(({ group, items }) => ({ group, items }))}
          searchable
          clearable
          w={{ base: "100%", xs: 320 }}
          maxDropdownHeight={420}
          onChange={(chosen) => select({ event: chosen })}
        />
        {entity === "" ? null : (
          <Pill
            size="lg"
            withRemoveButton
            removeButtonProps={{ "aria-label": words.anyRecord, "aria-hidden": false, tabIndex: 0 }}
            onRemove={() => select({ entity: null })}
          >
            {about ? <bdi>{nameOf(about)}</bdi> : <Code>{entity}</Code>}
          </Pill>
        )}
      </div>
      <div ref={hold.top} aria-hidden />
      <div className={classes["pillPlace"]} role="status">
        {picture.waiting > 0 ? (
          <Button className={classes["pill"] ?? ""} size="compact-sm" radius="xl" onClick={hold.show}>
            {picture.many ? words.freshMany(picture.waiting) : words.fresh(picture.waiting)}
          </Button>
        ) : null}
      </div>
      {picture.error ? <Failure error={picture.error} retry={feed.retry} /> : null}
      {picture.rows.length > 0 ? (
        <ol className={classes["list"]} {...hold.reading} aria-label={words.title}>
          {picture.rows.map((row) => (
            <EventRow key={row.id} row={row} select={select} selected={{ event, entity }} />
          ))}
        </ol>
      ) : picture.read ? (
        <Nothing
          filtered={filtered}
          deaf={names.length === 0}
          clear={() => select({ event: null, entity: null, q: null })}
        />
      ) : picture.error ? null : (
        <LoadingLines lines={8} />
      )}
      {picture.rows.length === 0 || picture.older === "none" ? null : (
        <div className={classes["older"]}>
          <Button variant="default" loading={picture.older === "loading"} onClick={() => void feed.readOlder()}>
            {words.older}
          </Button>
        </div>
      )}
    </>
  );
}

/** Searches when it is left, or by Enter: each search is a question to the log. */
function EventSearch({ q, find }: { readonly q: string; readonly find: (text: string) => void }) {
  const words = useWords("events");
  // Undefined while nobody types: the address says it then.
  const [typed, type] = useState<string>();
  const search = () => {
    if (typed !== undefined && typed.trim() !== q) find(typed.trim());
    type(undefined);
  };
  useKeys({ "/": { label: words.search, run: () => document.querySelector<HTMLElement>("#events-search")?.focus() } });
  return (
    <TextInput
      id="events-search"
      type="search"
      aria-label={words.search}
      placeholder={words.search}
      leftSection={<IconSearch size={16} aria-hidden />}
      w={{ base: "100%", xs: 260 }}
      value={typed ?? q}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={search}
      onKeyDown={(event) => {
        if (event.key === "Enter") search();
      }}
    />
  );
}

function Nothing({ filtered, deaf, clear }: { filtered: boolean; deaf: boolean; clear: () => void }) {
  const words = useWords("events");
  const parts = useWords("parts");
  if (filtered) {
    return (
      <Empty
        title={parts.nothingFound}
        action={
          <Button variant="default" size="sm" onClick={clear}>
            {parts.clearFilters}
          </Button>
        }
      />
    );
  }
  return <Empty title={words.none} text={deaf ? words.deaf : words.noneText} />;
}
