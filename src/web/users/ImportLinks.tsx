// Links that put the subscription into an app without showing its address.
import { Group, Text } from "@mantine/core";
import { useApi } from "../api/queries.ts";
import { CopyButton } from "../parts/CopyButton.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import type { User, UserAlone } from "./user.ts";

const APPS = [
  { key: "happ", name: "Happ" },
  { key: "incy", name: "INCY" },
] as const;

export function ImportLinks({ user }: { readonly user: Pick<User, "id"> }) {
  const words = useWords("clients");
  const links = useApi<UserAlone>(`/users/${user.id}`).data?.importLinks;
  const given = APPS.filter(({ key }) => links?.[key]);
  if (given.length === 0) return null;
  return (
    <Panel title={words.importTitle}>
      <Text size="sm" c="dimmed" mb="xs">
        {words.importText}
      </Text>
      <Group gap="xs">
        {given.map(({ key, name }) => (
          <CopyButton key={key} wide value={links?.[key] ?? ""} label={words.copyFor(name)} />
        ))}
      </Group>
    </Panel>
  );
}
