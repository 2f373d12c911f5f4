// An address that leads nowhere, or where the person's role does not reach.
import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { useWords } from "../words/words.ts";
import { usePageTitle } from "./title.ts";

export function MissingPage() {
  const { missing } = useWords("shell");
  usePageTitle(missing.title);
  return (
    <Stack align="flex-start" gap="xs">
      <Title order={1}>{missing.title}</Title>
      <Text c="dimmed">{missing.text}</Text>
      <Anchor component={Link} href="/">
        {missing.home}
      </Anchor>
    </Stack>
  );
}
