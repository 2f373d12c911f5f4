// The link in the form of one app or another: those that can say any of the account's servers, with how many, and why
// the others are not offered.
import { Group, Stack, Text } from "@mantine/core";
import type { UserSubFormats } from "../../subscriptions/delivery/formats.schema.ts";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Answer, LoadingLines } from "../parts/Answer.tsx";
import { CopyButton } from "../parts/CopyButton.tsx";
import { Code } from "../parts/Names.tsx";
import { useWords } from "../words/words.ts";
import { formatsPath, type User } from "./user.ts";

export function LinkFormats({ user }: { readonly user: Pick<User, "id"> }) {
  const formats = useApi<UserSubFormats>(formatsPath(user));
  return (
    <Answer of={formats} loading={<LoadingLines lines={2} />}>
      {(answer) => <FormatList {...answer} />}
    </Answer>
  );
}

function FormatList({ servers, formats }: UserSubFormats) {
  const words = useWords("users");
  const format = useFormat();
  if (servers === 0) return <Text size="sm">{words.formatsNone}</Text>;
  const empty = formats.filter((each) => each.servers === 0);
  return (
    <Stack gap={2}>
      {formats
        .filter((each) => each.servers > 0)
        .map((each) => (
          <Group key={each.format} gap={4} justify="space-between" wrap="nowrap">
            <span>
              <Code>{each.format}</Code>{" "}
              {each.servers < servers ? (
                <Text span size="xs" c="dimmed">
                  {words.formatPart(format.number(each.servers), format.number(servers))}
                </Text>
              ) : null}
            </span>
            <CopyButton value={each.url} />
          </Group>
        ))}
      {empty.map((each) => (
        <Text key={each.format} size="xs" c="dimmed">
          <Code>{each.format}</Code> {words.formatEmpty}
        </Text>
      ))}
    </Stack>
  );
}
