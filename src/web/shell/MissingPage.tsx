// An address that leads nowhere, or to a page that the person's role does not reach.
import { Anchor, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";
import type { Bar } from "../page.ts";
import { useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { usePageTitle } from "../browser/title.ts";

/** `bar`: what keeps the person from a page that is there. */
export function MissingPage({ bar }: { readonly bar?: Bar }) {
  const { missing, barred } = useWords("shell");
  const { role } = useMe();
  const title = bar === undefined ? missing.title : barred.title;
  const barredText = bar?.needs === undefined ? barred.account : barred.text(role, bar.needs);
  const text = bar === undefined ? missing.text : barredText;
  usePageTitle(title);
  return (
    <Stack align="flex-start" gap="xs">
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{text}</Text>
      <Anchor component={Link} href="/">
        {missing.home}
      </Anchor>
    </Stack>
  );
}
