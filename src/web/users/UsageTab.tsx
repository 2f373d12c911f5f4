// What an account used over time, by node.
import { Group, Stack } from "@mantine/core";
import type { Traffic } from "../../history/traffic.schema.ts";
import { useApi } from "../api/queries.ts";
import { Answer } from "../parts/Answer.tsx";
import { rangeQuery } from "../parts/time/range-query.ts";
import { TimeRangePicker, useTimeRange } from "../parts/time/TimeRangePicker.tsx";
import { useCan } from "../session/me.ts";
import { TrafficFigures } from "../traffic/TrafficFigures.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";

const USUAL = "30d";
const TOP = 20;
const AGAIN_MS = 60_000;

export default function UsageTab({ user }: { readonly user: User }) {
  const words = useWords("traffic");
  const can = useCan();
  const query = { top: TOP, ...rangeQuery(useTimeRange(USUAL)) };
  const answer = useApi<Traffic>(`/users/${user.id}/traffic`, query, { refetchInterval: AGAIN_MS });
  return (
    <Stack gap="md">
      <Group justify="flex-end">
        <TimeRangePicker usual={USUAL} />
      </Group>
      <Answer of={answer}>
        {(traffic) => (
          <TrafficFigures
            traffic={traffic}
            title={words.plots.node}
            kind={words.kinds.node}
            {...(can("nodes:read") && { href: (id: number) => `/nodes/${id}` })}
          />
        )}
      </Answer>
    </Stack>
  );
}
