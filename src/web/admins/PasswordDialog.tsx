// A new password for an operator: typed, or made by the panel and shown once.
import { Stack } from "@mantine/core";
import { useState } from "react";
import { ApiError, call } from "../api/call.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { fieldProblems } from "../parts/refusal.ts";
import { showOnce } from "../parts/secrets.ts";
import type { Asked } from "../parts/use-verbs.tsx";
import { useCan, useMe } from "../session/me.ts";
import { Password } from "../parts/form/Password.tsx";
import { useWords } from "../words/words.ts";
import type { Admin } from "./admin.ts";

export function PasswordDialog({ admin, asked }: { readonly admin: Admin; readonly asked: Asked<Admin> }) {
  const { admins: words } = useWords("access");
  const parts = useWords("parts");
  const me = useMe();
  const makes = useCan()("tools:write");
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState("");
  const change = async () => {
    const password = typed === "" ? await makePassword() : typed;
    try {
      await call("PUT", `/admins/${admin.id}/password`, { body: { password } });
    } catch (error) {
      if (error instanceof ApiError) setProblem(fieldProblems(error, parts)["password"] ?? "");
      throw error;
    }
    asked.settle({ said: words.passwordDone(admin.username) });
    if (typed === "") void showOnce({ title: words.passwordOf(admin.username), values: [password] });
  };
  return (
    <ConfirmDialog
      opened
      onClose={asked.close}
      title={words.passwordTitle(admin.username)}
      consequence={
        <Stack gap="sm">
          <div>{admin.id === me.id ? words.passwordOwn : words.passwordText}</div>
          <Password
            label={words.fields.password}
            description={makes ? words.fields.passwordHelp : undefined}
            autoComplete="new-password"
            dir="ltr"
            value={typed}
            error={problem === "" ? undefined : problem}
            onChange={(event) => {
              setProblem("");
              setTyped(event.currentTarget.value);
            }}
          />
        </Stack>
      }
      confirm={words.password}
      danger
      disabled={typed === "" && !makes}
      run={change}
    />
  );
}

/** A strong one, from the panel. */
export async function makePassword(): Promise<string> {
  const { password } = await call<{ readonly password: string }>("POST", "/tools/password");
  return password;
}
