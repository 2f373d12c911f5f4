// How many devices an account may have, and changing that.
import { Button, Group, NumberInput, Text } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError, call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { CountBar } from "../parts/Quantities.tsx";
import { fieldProblems, refusalText } from "../parts/refusal.ts";
import { useSettle } from "../parts/use-verbs.tsx";
import { useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";
import { USERS } from "./use-user-verbs.tsx";

export function DeviceLimit({
  user,
  used,
  writes,
}: {
  readonly user: User;
  readonly used: number;
  readonly writes: boolean;
}) {
  const words = useWords("clients");
  const parts = useWords("parts");
  const format = useFormat();
  const settle = useSettle(USERS);
  // A reseller that sells plans only cannot change what the plans give.
  const { plansOnly } = useMe();
  const [typed, setTyped] = useState<number>();
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const limit = typed ?? user.deviceLimit;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const body = { deviceLimit: limit, version: user.updatedAt };
      const record = await call<User>("PATCH", `/users/${user.id}`, { body });
      setTyped(undefined);
      settle(user, { record, said: words.limitSaved });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { title, cause } = refusalText(error, parts);
      setProblem(fieldProblems(error, parts)["deviceLimit"] ?? (cause === "" ? title : cause));
    } finally {
      setBusy(false);
    }
  };
  const counted = format.number(used);
  return (
    <form onSubmit={(event) => void save(event)}>
      <Text mb="xs">
        {user.deviceLimit === 0 ? words.usedOpen(used, counted) : words.used(counted, format.number(user.deviceLimit))}
        {user.deviceLimit === 0 ? null : (
          <CountBar label={words.devicesTitle} used={used} limit={user.deviceLimit} bare />
        )}
      </Text>
      {writes && !plansOnly ? (
        <Group gap="xs" align="flex-end">
          <NumberInput
            label={words.limit}
            description={words.limitText}
            min={0}
            max={1000}
            allowDecimal={false}
            allowNegative={false}
            value={limit}
            error={problem}
            onChange={(next) => {
              setProblem("");
              setTyped(typeof next === "number" ? next : undefined);
            }}
          />
          <Button type="submit" variant="default" loading={busy} disabled={limit === user.deviceLimit}>
            {parts.save}
          </Button>
        </Group>
      ) : null}
    </form>
  );
}
