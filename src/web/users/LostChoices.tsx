// Says that a form cannot offer all that there is to choose from: templates or plans did not come. Without them the
// form would look as if there were none.
import { Box } from "@mantine/core";
import { useApi } from "../api/queries.ts";
import { Failure } from "../parts/Answer.tsx";
import { useCan } from "../session/me.ts";

const MOST = { limit: 1000 };

export function LostChoices() {
  const can = useCan();
  const templates = useApi<unknown>("/templates", MOST, { enabled: can("templates:read") });
  const plans = useApi<unknown>("/plans", MOST, { enabled: can("users:read") });
  const lost = [templates, plans].filter(({ data, error }) => data === undefined && error !== null);
  const error = lost[0]?.error;
  if (!error) return null;
  return (
    <Box mb="md">
      <Failure
        error={error}
        retry={() => void Promise.all(lost.map((each) => each.refetch()))}
        busy={lost.some(({ isFetching }) => isFetching)}
      />
    </Box>
  );
}
