// Which columns are shown, and how high rows are.
import { Menu, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../words/words.ts";
import { useTakesOver, type ButtonOf } from "../LateMenu.tsx";
import type { ColumnChoice, Density } from "./columns.ts";

interface ColumnMenuProps {
  readonly button: ButtonOf;
  /** Without the title, which is always there. */
  readonly columns: readonly { readonly id: string; readonly header: string }[];
  readonly choice: Pick<ColumnChoice<unknown>, "has" | "toggle">;
  readonly density: readonly [Density, (density: Density) => void];
}

export default function ColumnMenu({ button, columns, choice, density: [density, setDensity] }: ColumnMenuProps) {
  const words = useWords("parts");
  const { ready, ref } = useTakesOver();
  const [opened, setOpened] = useState(true);
  return (
    <Menu
      opened={opened && ready}
      onChange={setOpened}
      position="bottom-end"
      closeOnItemClick={false}
      shadow="md"
      width={230}
    >
      <Menu.Target>{button({ ref })}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.columns}</Menu.Label>
        {columns.map(({ id, header }) => (
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
