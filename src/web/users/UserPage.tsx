// One account: why it is as it is, what it used, how it is reached, and its limits.
import { lazy } from "react";
import { useParams } from "wouter";
import { useRefreshed } from "../api/live.ts";
import { useApi } from "../api/queries.ts";
import { RecordFrame, RecordPage, type RecordList } from "../parts/RecordPage.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { AboutPanel } from "./AboutPanel.tsx";
import { AccessPanel } from "./AccessPanel.tsx";
import { StandingBadge } from "./UserStanding.tsx";
import { StatePanel } from "./StatePanel.tsx";
import { UsagePanel } from "./UsagePanel.tsx";
import { userPath, type User } from "./user.ts";
import { useUserVerbs } from "./use-user-verbs.tsx";
import { useWritesUsers } from "../session/writes-users.ts";
import { UserSwitch } from "./UserSwitch.tsx";
import { VerdictPanel } from "./VerdictPanel.tsx";
import classes from "./users.module.css";

const AccessTab = lazy(() => import("./AccessTab.tsx"));
const DevicesTab = lazy(() => import("./DevicesTab.tsx"));
const ConnectionsTab = lazy(() => import("./ConnectionsTab.tsx"));
const EditTab = lazy(() => import("./EditTab.tsx"));
const UsageTab = lazy(() => import("./UsageTab.tsx"));
const HistoryTab = lazy(() => import("./HistoryTab.tsx"));

const REFRESH_MS = 10_000;

export default function UserPage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("users");
  const user = useApi<User>(`/users/${id}`, {}, { refetchInterval: REFRESH_MS });
  useRefreshed("user", [`/users/${id}`, `/actors/user/${id}`]);
  const list = { id: "users", href: "/users", title: words.title };
  return (
    <RecordPage of={user} list={list} missing={{ title: words.missingTitle, text: words.missingText }}>
      {(record) => <UserRecord key={record.id} user={record} list={list} />}
    </RecordPage>
  );
}

function UserRecord({ user, list }: { readonly user: User; readonly list: RecordList }) {
  const { tabs } = useWords("users");
  const can = useCan();
  const writes = useWritesUsers();
  const verbs = useUserVerbs(list.href);
  const overview = (
    <div className={classes["record"]}>
      <div className={classes["column"]}>
        <VerdictPanel user={user} verbs={verbs} />
        <StatePanel user={user} />
        <UsagePanel user={user} onReset={writes ? () => verbs.run(user, "reset") : undefined} />
        <AboutPanel user={user} />
      </div>
      <AccessPanel user={user} />
    </div>
  );
  return (
    <RecordFrame
      record={user}
      name={user.name}
      list={list}
      href={userPath(user)}
      verbs={verbs}
      beside={<StandingBadge user={user} />}
      controls={writes ? <UserSwitch user={user} verbs={verbs} /> : undefined}
      tabs={[
        { id: "overview", label: tabs.overview, content: overview },
        { id: "usage", label: tabs.usage, content: <UsageTab user={user} /> },
        writes && { id: "edit", label: tabs.edit, content: <EditTab user={user} /> },
        { id: "access", label: tabs.access, content: <AccessTab user={user} verbs={verbs} writes={writes} /> },
        { id: "devices", label: tabs.devices, content: <DevicesTab user={user} writes={writes} /> },
        { id: "connections", label: tabs.connections, content: <ConnectionsTab user={user} writes={writes} /> },
        can("stats:read") && { id: "history", label: tabs.history, content: <HistoryTab user={user} /> },
      ]}
    />
  );
}
