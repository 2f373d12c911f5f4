// A filter of many values, from when it is first opened.
import { Select } from "@mantine/core";
import { useWords } from "../../words/words.ts";
import type { FilterSelectProps } from "./Filters.tsx";

export default function OpenFilter({ query, name, label, options, width = 150 }: FilterSelectProps) {
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
      autoFocus
      defaultDropdownOpened
      onChange={(next) => query.set({ filters: { [name]: next ?? undefined } })}
    />
  );
}
