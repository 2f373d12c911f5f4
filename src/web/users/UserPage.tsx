// One account: why it is as it is, what it used, how it is reached, and its limits.
import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots, IconPlus, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { useRefreshed } from "../api/live.ts";
import { useApi } from "../api/queries.ts";
import { Answer, Empty, LoadingLines } from "../parts/Answer.tsx";
import { Name } from "../parts/Names.tsx";
import { PageHead } from "../parts/Record.tsx";
import { neighboursOf } from "../parts/table/neighbours.ts";
import { UrlTabs } from "../parts/UrlTabs.tsx";
import { useCan } from "../session/me.ts";
import { useKeys, type KeyMap } from "../shell/keys.ts";
import { usePageTitle } from "../shell/title.ts";
import { useWords } from "../words/words.ts";
import { AboutPanel } from "./AboutPanel.tsx";
import { AccessPanel } from "./AccessPanel.tsx";
import { ConnectionsTab } from "./ConnectionsTab.tsx";
import { HistoryTab } from "./HistoryTab.tsx";
import { EditTab } from "./EditTab.tsx";
import { StandingBadge } from "./StandingText.tsx";
import { StatePanel } from "./StatePanel.tsx";
import { UsagePanel } from "./UsagePanel.tsx";
import { userPath, type User } from "./user.ts";
import { useExtendsUsers, useUserActions, useWritesUsers } from "./use-user-actions.tsx";
import { UserDialogs, type Asked } from "./UserDialogs.tsx";
import { UserSwitch } from "./UserSwitch.tsx";
import classes from "./users.module.css";

const REFRESH_MS = 10_000;

export default function UserPage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("users");
  const user = useApi<User>(`/users/${id}`, {}, { refetchInterval: REFRESH_MS });
  useRefreshed("user", [`/users/${id}`, `/actors/user/${id}`]);
  if (user.error?.status === 404 && !user.isFetching) {
    return (
      <>
        <PageHead title={words.title} back={{ href: "/users", label: words.title }} />
        <Empty
          title={words.missingTitle}
          text={words.missingText}
          action={
            <Button component={Link} href="/users" variant="default">
              {words.toList}
            </Button>
          }
        />
      </>
    );
  }
  return (
    <Answer of={user} loading={<LoadingLines lines={8} />}>
      {(record) => <UserRecord key={record.id} user={record} />}
    </Answer>
  );
}

function UserRecord({ user }: { readonly user: User }) {
  const words = useWords("users");
  const parts = useWords("parts");
  const can = useCan();
  const writes = useWritesUsers();
  const mayExtend = useExtendsUsers();
  const [, navigate] = useLocation();
  const [asked, ask] = useState<Asked>();
  const actions = useUserActions(ask)(user);
  usePageTitle(user.name);
  const keys: KeyMap = Object.fromEntries(
    actions.flatMap(({ key, label, run }) => (key === undefined ? [] : [[key, { label, run }] as const])),
  );
  const { list, before, after } = neighboursOf("users", userPath(user));
  useKeys({
    ...keys,
    "[": { label: words.keyBefore, run: () => before !== undefined && navigate(before), enabled: before !== undefined },
    "]": { label: words.keyAfter, run: () => after !== undefined && navigate(after), enabled: after !== undefined },
  });
  const overview = (
    <div className={classes["record"]}>
      <div className={classes["column"]}>
        <StatePanel user={user} />
        <UsagePanel user={user} onReset={writes ? () => ask({ what: "reset", user }) : undefined} />
        <AboutPanel user={user} />
      </div>
      <AccessPanel user={user} />
    </div>
  );
  return (
    <>
      <PageHead
        title={<Name>{user.name}</Name>}
        beside={<StandingBadge user={user} />}
        back={{ href: list ?? "/users", label: words.title }}
        actions={
          <>
            {writes ? <UserSwitch user={user} label /> : null}
            {writes ? (
              <Button
                variant="default"
                leftSection={<IconRefresh size={16} aria-hidden />}
                onClick={() => ask({ what: "renew", user })}
              >
                {words.renew}
              </Button>
            ) : null}
            {mayExtend ? (
              <Button
                variant="default"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => ask({ what: "extend", user })}
              >
                {words.extend}
              </Button>
            ) : null}
            <Menu position="bottom-end" shadow="md" width={220}>
              <Menu.Target>
                <ActionIcon variant="default" size={36} aria-label={parts.actionsOf(user.name)}>
                  <IconDots size={18} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {actions
                  .filter(({ id }) => !["renew", "extend", "switch"].includes(id))
                  .map(({ id, label, icon, danger, run }) => (
                    <Menu.Item
                      key={id}
                      leftSection={icon}
                      {...(danger ? { c: "var(--tone-failed)" } : {})}
                      onClick={run}
                    >
                      {label}
                    </Menu.Item>
                  ))}
              </Menu.Dropdown>
            </Menu>
          </>
        }
      />
      <UrlTabs
        tabs={[
          { id: "overview", label: words.tabs.overview, content: overview },
          ...(writes ? [{ id: "edit", label: words.tabs.edit, content: <EditTab user={user} /> }] : []),
          { id: "connections", label: words.tabs.connections, content: <ConnectionsTab user={user} writes={writes} /> },
          ...(can("stats:read")
            ? [{ id: "history", label: words.tabs.history, content: <HistoryTab user={user} /> }]
            : []),
        ]}
      />
      <UserDialogs asked={asked} onClose={() => ask(undefined)} onRemoved={() => navigate("/users")} />
    </>
  );
}
