// An address that leads nowhere, or to a page that the person's role does not reach.
import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import { useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { usePageTitle } from "./title.ts";

/** `needs`: the scope that opens the page to others. */
export function MissingPage({ needs }: { readonly needs?: string }) {
  const { missing, barred } = useWords("shell");
  const { role } = useMe();
  const title = needs === undefined ? missing.title : barred.title;
  usePageTitle(title);
  return (
    <Stack align="flex-start" gap="xs">
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{needs === undefined ? missing.text : barred.text(role, needs)}</Text>
      <Anchor component={Link} href="/">
        {missing.home}
      </Anchor>
    </Stack>
  );
}
