// A port as it is typed. Nothing is put right in secret: an empty field is asked for by the browser, a number past
// 65,535 is refused by the panel at the field.
import { NumberInput } from "@mantine/core";
import type { ReactNode } from "react";

/** Empty while nothing is typed. */
export type TypedPort = number | "";

interface PortProps {
  readonly label: string;
  readonly description?: ReactNode;
  readonly value: TypedPort;
  readonly error?: string | undefined;
  readonly miw?: number;
  readonly onChange: (port: TypedPort) => void;
}

export function PortInput({ onChange, ...frame }: PortProps) {
  return (
    <NumberInput
      miw={200}
      {...frame}
      onChange={(value) => onChange(value === "" ? "" : Number(value))}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      hideControls
      required
    />
  );
}
