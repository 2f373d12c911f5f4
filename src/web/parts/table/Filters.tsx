// Filters of a list, stored in its URL: chips with counts for the few values, a select for the many.
import { CloseButton, TextInput, UnstyledButton } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { lazy, startTransition, Suspense, useState } from "react";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import { ToneMark } from "../ToneMark.tsx";
import type { Tone } from "../tone.ts";
import type { ListQuery } from "./list-query.ts";
import classes from "./table.module.css";

export interface FilterOption {
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
  readonly tone?: Tone;
}

/** One value at a time; `all` is the chip that takes the filter away. */
export function FilterChips({
  query,
  name,
  options,
  all,
}: {
  query: ListQuery;
  name: string;
  options: readonly FilterOption[];
  all?: FilterOption;
}) {
  const format = useFormat();
  const value = query.filters[name] ?? "";
  const chips = all ? [{ ...all, value: "" }, ...options] : options;
  return (
    <div className={classes["chips"]} role="group">
      {chips.map((option) => (
        <UnstyledButton
          key={option.value}
          className={classes["chip"] ?? ""}
          aria-pressed={value === option.value}
          onClick={() => query.set({ filters: { [name]: value === option.value ? undefined : option.value } })}
        >
          {option.tone ? <ToneMark tone={option.tone} size={11} /> : null}
          {option.label}
          {option.count === undefined ? null : <span className={classes["count"]}>{format.compact(option.count)}</span>}
        </UnstyledButton>
      ))}
    </div>
  );
}

/** No language's name of a filter is cut. */
const LETTER_PX = 8.2;
const ROOM_PX = 56;

export interface FilterSelectProps {
  readonly query: ListQuery;
  readonly name: string;
  readonly label: string;
  readonly options: readonly FilterOption[];
  readonly width?: number;
}

const load = () => import("./OpenFilter.tsx");
const OpenFilter = lazy(load);
/** Keys that open it: those of any select, and the first letter of what is looked for. */
const OPENS = /^(Enter| |ArrowDown|ArrowUp|.)$/u;

/** One that nobody opened shows its value; its list is loaded when somebody points at it. */
export function FilterSelect(props: FilterSelectProps) {
  const { query, name, label, options } = props;
  const width = Math.max(props.width ?? 150, ROOM_PX + label.length * LETTER_PX);
  const words = useWords("parts");
  const [used, setUsed] = useState(false);
  const value = query.filters[name];
  const fetch = () => void load();
  // What is pressed stays, with the focus, until the list has been loaded.
  const open = () => startTransition(() => setUsed(true));
  const closed = (
    <TextInput
      size="sm"
      w={{ base: "100%", sm: width }}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      aria-label={label}
      placeholder={label}
      readOnly
      pointer
      value={options.find((option) => option.value === value)?.label ?? value ?? ""}
      rightSection={
        value === undefined ? (
          <IconSelector size={16} aria-hidden />
        ) : (
          <CloseButton
            size="sm"
            tabIndex={-1}
            aria-label={words.clear}
            onClick={() => query.set({ filters: { [name]: undefined } })}
          />
        )
      }
      rightSectionPointerEvents={value === undefined ? "none" : "all"}
      onPointerEnter={fetch}
      onFocus={fetch}
      onClick={open}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !OPENS.test(event.key)) return;
        event.preventDefault();
        open();
      }}
    />
  );
  return <Suspense fallback={closed}>{used ? <OpenFilter {...props} width={width} /> : closed}</Suspense>;
}

/** A filter as data: chips for the few values that matter daily, a select for the others. */
export type ListFilter =
  | {
      readonly kind: "chips";
      readonly name: string;
      readonly options: readonly FilterOption[];
      readonly all?: FilterOption;
    }
  | ({ readonly kind: "select" } & Omit<FilterSelectProps, "query">);

/** A select that has nothing to offer is not there. */
export function ListFilters({
  query,
  filters,
}: {
  readonly query: ListQuery;
  readonly filters: readonly ListFilter[];
}) {
  return filters.map((filter) => {
    if (filter.kind === "chips") return <FilterChips key={filter.name} query={query} {...filter} />;
    const useless = filter.options.length === 0 && query.filters[filter.name] === undefined;
    return useless ? null : <FilterSelect key={filter.name} query={query} {...filter} />;
  });
}
