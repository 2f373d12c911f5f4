// What is not saved, and saving it.
import { Button, Group, Text } from "@mantine/core";
import formClasses from "../parts/form/form.module.css";
import { useWords } from "../words/words.ts";

export function SaveBar({
  count,
  busy,
  discard,
}: {
  readonly count: number;
  readonly busy: boolean;
  readonly discard: () => void;
}) {
  const parts = useWords("parts");
  return (
    <div className={formClasses["bar"]} role="status">
      <Text size="sm" c="dimmed">
        {parts.unsaved(count)}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={discard} disabled={busy}>
          {parts.discard}
        </Button>
        <Button type="submit" loading={busy}>
          {parts.save}
        </Button>
      </Group>
    </div>
  );
}
