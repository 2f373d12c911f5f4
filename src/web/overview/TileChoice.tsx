// Choosing the overview's tiles and their order; each change is kept with the account at once. Loaded when it is asked
// for: opens at once.
import { ActionIcon, Checkbox, Group, Popover, Stack, Text } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useState } from "react";
import { useTakesOver, type ButtonOf } from "../parts/LateMenu.tsx";
import { useWords } from "../words/words.ts";
import { moved, TILE_IDS, type TileId } from "./tiles.ts";

export interface TileChoiceProps {
  readonly button: ButtonOf;
  readonly chosen: readonly TileId[];
  readonly may: (id: TileId) => boolean;
  readonly choose: (chosen: readonly TileId[]) => void;
}

export default function TileChoice({ button, chosen, may, choose }: TileChoiceProps) {
  const words = useWords("overview");
  const { ready, ref } = useTakesOver();
  const [opened, setOpened] = useState(true);
  const all = [...chosen, ...TILE_IDS.filter((id) => may(id) && !chosen.includes(id))];
  const toggle = (id: TileId, on: boolean) => choose(on ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <Popover
      opened={opened && ready}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      width={280}
      trapFocus
      returnFocus
    >
      <Popover.Target>{button({ ref, onClick: () => setOpened(!opened) })}</Popover.Target>
      <Popover.Dropdown>
        <Stack gap={4}>
          <Text size="xs" c="dimmed">
            {words.chooseTiles}
          </Text>
          {all.map((id) => {
            const at = chosen.indexOf(id);
            const name = words.tiles[id];
            return (
              <Group key={id} gap={2} wrap="nowrap" mih={36}>
                <Checkbox
                  flex={1}
                  size="sm"
                  label={name}
                  checked={at !== -1}
                  // The last one stays: nothing chosen would mean the usual ones.
                  disabled={at !== -1 && chosen.length === 1}
                  onChange={(event) => toggle(id, event.currentTarget.checked)}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={30}
                  aria-label={words.tileUp(name)}
                  disabled={at <= 0}
                  onClick={() => choose(moved(chosen, id, -1))}
                >
                  <IconChevronUp size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={30}
                  aria-label={words.tileDown(name)}
                  disabled={at === -1 || at === chosen.length - 1}
                  onClick={() => choose(moved(chosen, id, 1))}
                >
                  <IconChevronDown size={16} aria-hidden />
                </ActionIcon>
              </Group>
            );
          })}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
