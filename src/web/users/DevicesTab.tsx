// The devices that took the subscription, the places that they have of the limit, and freeing these.
import { Button, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { z } from "zod";
import type { ForgottenDevices, UserDeviceView } from "../../accounts/devices/devices.schema.ts";
import { call } from "../api/call.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Ago } from "../parts/Ago.tsx";
import { Answer, Empty } from "../parts/Answer.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { Code, Name } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { useCan } from "../session/me.ts";
import type { Setting } from "../settings/setting.ts";
import { sayDone } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import { DeviceLimit } from "./DeviceLimit.tsx";
import { verdictPath, type User } from "./user.ts";
import classes from "./users.module.css";

type Device = z.output<typeof UserDeviceView>;
type Forgotten = z.output<typeof ForgottenDevices>;

const REFRESH_MS = 10_000;
const ALL = { limit: 1000 };

export default function DevicesTab({ user, writes }: { readonly user: User; readonly writes: boolean }) {
  const words = useWords("clients");
  const format = useFormat();
  const queries = useQueryClient();
  const path = `/users/${user.id}/devices`;
  const devices = useApi<readonly Device[]>(path, {}, { refetchInterval: REFRESH_MS });
  /** The one that is asked about, or all. */
  const [asked, setAsked] = useState<Device | "all">();
  const many = devices.data?.length ?? 0;
  const forget = async () => {
    if (asked === "all") {
      const { forgotten } = await call<Forgotten>("DELETE", path);
      sayDone(words.forgotten(forgotten, format.number(forgotten)));
    } else if (asked) {
      await call("DELETE", `${path}/${encodeURIComponent(asked.hwid)}`);
      sayDone(words.forgotten(1, format.number(1)));
    }
    for (const old of [path, verdictPath(user)]) await queries.invalidateQueries({ queryKey: [old] });
  };
  return (
    <Stack className={classes["narrow"]}>
      <Panel title={words.limitTitle}>
        <DeviceLimit user={user} used={many} writes={writes} />
        <PanelRules />
      </Panel>
      <Panel
        title={words.devicesTitle}
        actions={
          writes && many > 1 ? (
            <Button size="xs" variant="default" onClick={() => setAsked("all")}>
              {words.forgetAll}
            </Button>
          ) : undefined
        }
      >
        <Answer of={devices} empty={(rows) => rows.length === 0} whenEmpty={<Empty small title={words.noDevices} />}>
          {(rows) => (
            <ul className={classes["devices"]}>
              {rows.map((device) => (
                <li key={device.hwid}>
                  <DeviceText device={device} />
                  {writes ? (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`${words.forget}: ${nameOf(device) || device.hwid}`}
                      onClick={() => setAsked(device)}
                    >
                      {words.forget}
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          )}
        </Answer>
      </Panel>
      {asked ? (
        <ConfirmDialog
          opened
          onClose={() => setAsked(undefined)}
          title={asked === "all" ? words.forgetAllTitle : words.forgetTitle(nameOf(asked) || asked.hwid)}
          consequence={words.forgetText}
          confirm={asked === "all" ? words.forgetAll : words.forget}
          run={forget}
        />
      ) : null}
    </Stack>
  );
}

/** What people call it: its model and system as it said them. */
function nameOf({ model, platform, osVersion }: Device): string {
  return [model, `${platform} ${osVersion}`.trim()].filter((part) => part !== "").join(", ");
}

function DeviceText({ device }: { readonly device: Device }) {
  const words = useWords("clients");
  const format = useFormat();
  return (
    <div>
      <Text fw={550}>
        <Name>{nameOf(device) || words.deviceUnknown}</Name>
      </Text>
      <Text size="sm" c="dimmed" component="div">
        {device.userAgent === "" ? null : <Code>{device.userAgent}</Code>}{" "}
        {device.ip === "" ? null : <Code copy>{device.ip}</Code>}
      </Text>
      <Text size="sm" c="dimmed" component="div">
        {words.lastSeen} <Ago at={device.lastSeenAt} /> · {words.firstSeen(format.date(device.firstSeenAt, "date"))}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <Code copy>{device.hwid}</Code>
      </Text>
    </div>
  );
}

/** What the panel allows subscribers, for who may read its settings. */
function PanelRules() {
  const words = useWords("clients");
  const can = useCan();
  const reads = can("settings:read");
  const settings = useApi<Listing<Setting>>("/settings", ALL, { enabled: reads });
  if (!settings.data) return null;
  const isOn = (key: string) => settings.data.items.find((row) => row.key === key)?.value === "true";
  return (
    <Group gap="xs" mt="sm">
      <Text size="sm" c="dimmed">
        {isOn("sub_device_self_service") ? words.selfServiceOn : words.selfServiceOff}{" "}
        {isOn("device_limit_strict") ? words.strictOn : words.strictOff}{" "}
        <Link href="/settings?group=subscriptions" className={classes["inline"] ?? ""}>
          {words.toSettings}
        </Link>
      </Text>
    </Group>
  );
}
