// A reseller's own allowance: what is used and left of it, when it begins again, and why its users are off once it
// ended.
import { Alert, Stack } from "@mantine/core";
import { closedBy } from "../admins/allowance.ts";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Ago, Moment } from "../parts/Ago.tsx";
import { useNow } from "../parts/now.ts";
import { CountBar, QuotaBar } from "../parts/Quantities.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import type { Me } from "../session/me.ts";
import { useWords } from "../words/words.ts";

const FIGURES_MS = 10_000;
const MINUTE = 60;

export default function AllowancePanel() {
  const { allowance: words } = useWords("overview");
  const format = useFormat();
  const now = useNow(MINUTE);
  const allowance = useApi<Me>("/me", {}, { refetchInterval: FIGURES_MS }).data?.allowance;
  if (!allowance) return null;
  const { volume, used, nextReset, expiry, userLimit, users } = allowance;
  const closed = closedBy(allowance, now);
  const left = Math.max(0, volume - used);
  return (
    <Panel title={words.title}>
      <Stack gap="sm">
        {closed === undefined ? null : (
          <Alert color={closed === "expiry" ? "red" : "yellow"} variant="light" role="alert">
            {closed === "expiry"
              ? words.ended(format.date(expiry))
              : nextReset > 0
                ? words.spentUntil(format.date(nextReset))
                : words.spent}
          </Alert>
        )}
        <QuotaBar used={used} limit={volume} />
        <Facts
          items={[
            { label: words.left, value: volume > 0 ? format.bytes(left) : undefined },
            { label: words.nextReset, value: nextReset > 0 ? <Moment at={nextReset} /> : undefined },
            { label: words.ends, value: expiry > 0 ? <Ago at={expiry} /> : undefined },
            { label: words.users, value: <CountBar label={words.users} used={users} limit={userLimit} /> },
          ]}
        />
      </Stack>
    </Panel>
  );
}
