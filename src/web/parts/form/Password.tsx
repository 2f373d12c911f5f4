// The field of a password: the browser's own, with the eye named in the reader's language.
import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useWords } from "../../words/words.ts";

export function Password(props: PasswordInputProps) {
  const { showPassword } = useWords("session");
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ "aria-label": showPassword }}
      // Mantine only colours the box.
      {...(props.error ? { "aria-invalid": true } : {})}
      {...props}
    />
  );
}
