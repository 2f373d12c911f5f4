// Filters of a list, stored in its URL: chips with counts for the few values, a select for the many.
import { Select, UnstyledButton } from "@mantine/core";
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

export interface FilterSelectProps {
  readonly query: ListQuery;
  readonly name: string;
  readonly label: string;
  readonly options: readonly FilterOption[];
  readonly width?: number;
}

export function FilterSelect({ query, name, label, options, width = 150 }: FilterSelectProps) {
  const words = useWords("parts");
  const value = query.filters[name] ?? null;
  const known = value === null || options.some((option) => option.value === value);
  return (
    <Select
      size="sm"
      w={{ base: "100%", sm: width }}
      aria-label={label}
      placeholder={label}
      value={value}
      data={[
        ...(known ? [] : [{ value: value ?? "", label: value ?? "" }]),
        ...options.map((option) => ({ value: option.value, label: option.label })),
      ]}
      searchable={options.length > 8}
      nothingFoundMessage={words.nothingFound}
      clearable
      onChange={(next) => query.set({ filters: { [name]: next ?? undefined } })}
    />
  );
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
