// A new password; every other session of the account ends with the old one.
import { Alert, Button, Stack } from "@mantine/core";
import { useApiMutation } from "../api/queries.ts";
import { Password } from "../parts/form/Password.tsx";
import { PlacedForm, textOf } from "../parts/form/PlacedForm.tsx";
import { useRecordForm } from "../parts/form/record-form.ts";
import { Panel } from "../parts/Record.tsx";
import { useMe } from "../session/me.ts";
import { useSignInRefusal } from "../session/refusals.ts";
import { sayDone } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";

const EMPTY = { currentPassword: "", newPassword: "", repeat: "" };

export function PasswordPanel() {
  const { password: words } = useWords("me");
  const { required } = useWords("parts").refusals.rules;
  const { username } = useMe();
  const change = useApiMutation<unknown, Omit<typeof EMPTY, "repeat">>(
    (body) => ({ method: "PUT", path: "/me/password", body }),
    { refreshes: ["/me/sessions"] },
  );
  const form = useRecordForm<typeof EMPTY, unknown>({
    initial: EMPTY,
    check: (values) => ({
      ...Object.fromEntries(Object.keys(EMPTY).flatMap((name) => (values[name] === "" ? [[name, required]] : []))),
      ...(values["repeat"] === values["newPassword"] ? {} : { repeat: words.differs }),
    }),
    // A wrong password is not "a wrong username or password" here.
    explain: ({ code }): Readonly<Record<string, string>> =>
      code === "bad_credentials" ? { currentPassword: words.wrong } : {},
    save: ({ currentPassword = "", newPassword = "" }) => change.mutateAsync({ currentPassword, newPassword }),
    onDone: () => sayDone(words.done),
  });
  const text = useSignInRefusal(form.error);
  return (
    <Panel title={words.title}>
      <PlacedForm form={form}>
        <Stack gap="sm">
          {form.error ? (
            <Alert color="red" variant="light" role="alert" p="xs">
              {text}
            </Alert>
          ) : null}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <Password label={words.current} autoComplete="current-password" {...textOf(form, "currentPassword")} />
          <Password
            label={words.next}
            description={words.rule}
            inputWrapperOrder={["label", "input", "description", "error"]}
            autoComplete="new-password"
            {...textOf(form, "newPassword")}
          />
          <Password label={words.repeat} autoComplete="new-password" {...textOf(form, "repeat")} />
          <Button
            type="submit"
            variant="default"
            loading={form.busy}
            disabled={form.values["newPassword"] === ""}
            style={{ alignSelf: "flex-start" }}
          >
            {words.change}
          </Button>
        </Stack>
      </PlacedForm>
    </Panel>
  );
}
