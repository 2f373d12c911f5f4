// How the account is reached: its link, what a client gets of it, and who fetched it last.
import { Button, Stack } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { ClientPreview } from "../clients/ClientPreview.tsx";
import { Panel } from "../parts/Record.tsx";
import type { Verbs } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { AccessPanel } from "./AccessPanel.tsx";
import { AppConfigs } from "./AppConfigs.tsx";
import { FetchList } from "./FetchList.tsx";
import { ImportLinks } from "./ImportLinks.tsx";
import type { User } from "./user.ts";
import classes from "./users.module.css";

export default function AccessTab({
  user,
  verbs,
  writes,
}: {
  readonly user: User;
  readonly verbs: Verbs<User>;
  readonly writes: boolean;
}) {
  const words = useWords("users");
  const clients = useWords("clients");
  return (
    <div className={classes["record"]}>
      <div className={classes["column"]}>
        <Panel title={clients.previewTitle}>
          <ClientPreview user={user} />
        </Panel>
        <Panel title={clients.fetchesTitle}>
          <FetchList user={user} />
        </Panel>
      </div>
      <Stack gap="md" className={classes["ahead"] ?? ""}>
        <AccessPanel user={user} />
        <ImportLinks user={user} />
        <AppConfigs user={user} />
        {writes ? (
          <Button
            variant="default"
            leftSection={<IconLink size={16} aria-hidden />}
            onClick={() => verbs.run(user, "rotate")}
          >
            {words.rotate}
          </Button>
        ) : null}
      </Stack>
    </div>
  );
}
