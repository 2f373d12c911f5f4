// Which rows are seen of how many, and the way to the others.
import { ActionIcon, Group, NativeSelect, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from "@tabler/icons-react";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import type { ListQuery } from "./list-query.ts";
import classes from "./table.module.css";

const SIZES = [25, 50, 100, 200, 1000];

export function Pages({ query, total }: { readonly query: ListQuery; readonly total: number }) {
  const words = useWords("parts");
  const format = useFormat();
  const { page, limit } = query;
  const last = Math.max(1, Math.ceil(total / limit));
  const from = Math.min(total, (page - 1) * limit + 1);
  const go = (to: number) => query.set({ page: to });
  const steps = [
    { to: 1, Icon: IconChevronsLeft, label: words.firstPage, off: page <= 1 },
    { to: page - 1, Icon: IconChevronLeft, label: words.previousPage, off: page <= 1 },
    { to: page + 1, Icon: IconChevronRight, label: words.nextPage, off: page >= last },
    { to: last, Icon: IconChevronsRight, label: words.lastPage, off: page >= last },
  ];
  return (
    <Group className={classes["pages"]} justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {words.range(format.number(from), format.number(Math.min(total, page * limit)), format.number(total))}
      </Text>
      <Group gap={4} wrap="nowrap">
        <NativeSelect
          size="xs"
          w={76}
          aria-label={words.pageSize}
          value={String(limit)}
          data={(SIZES.includes(limit) ? SIZES : [limit, ...SIZES]).map((size) => ({
            value: String(size),
            label: format.number(size),
          }))}
          onChange={(event) => query.set({ limit: Number(event.currentTarget.value) })}
        />
        {steps.map(({ to, Icon, label, off }) => (
          <ActionIcon key={label} variant="default" size={30} aria-label={label} disabled={off} onClick={() => go(to)}>
            <Icon size={16} aria-hidden className={classes["directed"]} />
          </ActionIcon>
        ))}
      </Group>
    </Group>
  );
}
