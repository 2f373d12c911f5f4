// Six digits of the second factor: sent off by themselves when the sixth is there, empty again after a refusal.
import { Loader, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { plainDigits } from "./digits.ts";
import classes from "../shell/open-page.module.css";

const LENGTH = 6;

export interface CodeInputProps {
  readonly label: string;
  readonly description?: string;
  readonly busy: boolean;
  readonly error: string | undefined;
  readonly disabled?: boolean;
  readonly onCode: (code: string) => void;
}

export function CodeInput({ label, description, busy, error, disabled, onCode }: CodeInputProps) {
  const [code, setCode] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error === undefined) return;
    setCode("");
    input.current?.focus();
  }, [error]);
  return (
    <TextInput
      ref={input}
      label={label}
      description={description}
      value={code}
      onChange={({ currentTarget }) => {
        const digits = plainDigits(currentTarget.value).slice(0, LENGTH);
        setCode(digits);
        if (digits.length === LENGTH && digits !== code) onCode(digits);
      }}
      error={error}
      readOnly={busy}
      disabled={disabled ?? false}
      rightSection={busy ? <Loader size={14} /> : null}
      inputMode="numeric"
      autoComplete="one-time-code"
      dir="ltr"
      size="md"
      data-autofocus
      autoFocus
      classNames={{ input: classes["code"] ?? "" }}
    />
  );
}
