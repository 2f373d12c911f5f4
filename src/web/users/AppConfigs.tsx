// Configurations for programs that speak one protocol only; shown where the account has any.
import { Group, Stack, Text } from "@mantine/core";
import type { UserAppConfig } from "../../subscriptions/app-configs/app-configs.schema.ts";
import { useApi } from "../api/queries.ts";
import { CopyButton } from "../parts/CopyButton.tsx";
import { Code } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";

/** As the programs are called. */
const PROGRAMS: Readonly<Record<UserAppConfig["protocol"], string>> = { hysteria2: "Hysteria", tuic: "TUIC" };

export function AppConfigs({ user }: { readonly user: Pick<User, "id"> }) {
  const words = useWords("clients");
  const { data = [] } = useApi<readonly UserAppConfig[]>(`/users/${user.id}/app-configs`);
  if (data.length === 0) return null;
  return (
    <Panel title={words.appConfigsTitle}>
      <Text size="sm" c="dimmed" mb="xs">
        {words.appConfigsText}
      </Text>
      <Stack gap={2}>
        {data.map(({ nodeId, node, inbound, protocol, config }) => (
          <Group key={`${nodeId} ${inbound}`} gap={4} justify="space-between" wrap="nowrap">
            <span>
              {PROGRAMS[protocol]}{" "}
              <Text span size="sm" c="dimmed">
                <bdi>{node}</bdi> <Code>{inbound}</Code>
              </Text>
            </span>
            <CopyButton
              value={JSON.stringify(config, null, 2)}
              label={words.copyFor(`${PROGRAMS[protocol]} ${node} ${inbound}`)}
            />
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
