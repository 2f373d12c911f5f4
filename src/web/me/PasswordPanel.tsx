// A new password; every other session of the account ends with the old one.
import { Alert, Button, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useApiMutation } from "../api/queries.ts";
import { Panel } from "../parts/Record.tsx";
import { fieldProblems } from "../parts/refusal.ts";
import { useMe } from "../session/me.ts";
import { useSignInRefusal } from "../session/refusals.ts";
import { sayDone } from "../browser/toasts.tsx";
import { Password } from "../parts/form/Password.tsx";
import { useWords } from "../words/words.ts";

interface Passwords {
  readonly currentPassword: string;
  readonly newPassword: string;
}

export function PasswordPanel() {
  const { password: words } = useWords("me");
  const parts = useWords("parts");
  const { username } = useMe();
  const form = useForm({
    initialValues: { currentPassword: "", newPassword: "", repeat: "" },
    validate: { repeat: (repeat, { newPassword }) => (repeat === newPassword ? null : words.differs) },
  });
  const change = useApiMutation<unknown, Passwords>((body) => ({ method: "PUT", path: "/me/password", body }), {
    refreshes: ["/me/sessions"],
    onDone: () => {
      form.reset();
      sayDone(words.done);
    },
  });
  const text = useSignInRefusal(change.error ?? undefined);
  // A wrong password is not "a wrong username or password" here.
  const current = change.error?.code === "bad_credentials" ? words.wrong : null;
  const rule = fieldProblems(change.error, parts)["newPassword"] ?? null;
  return (
    <Panel title={words.title}>
      <form
        onSubmit={form.onSubmit(({ currentPassword, newPassword }) => change.mutate({ currentPassword, newPassword }))}
      >
        <Stack gap="sm">
          {change.error && current === null && rule === null ? (
            <Alert color="red" variant="light" role="alert" p="xs">
              {text}
            </Alert>
          ) : null}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <Password
            label={words.current}
            autoComplete="current-password"
            required
            withAsterisk={false}
            {...form.getInputProps("currentPassword")}
            error={current}
          />
          <Password
            label={words.next}
            description={words.rule}
            inputWrapperOrder={["label", "input", "description", "error"]}
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...form.getInputProps("newPassword")}
            error={rule}
          />
          <Password
            label={words.repeat}
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...form.getInputProps("repeat")}
          />
          <Button
            type="submit"
            variant="default"
            loading={change.isPending}
            disabled={form.values.newPassword === ""}
            style={{ alignSelf: "flex-start" }}
          >
            {words.change}
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}
