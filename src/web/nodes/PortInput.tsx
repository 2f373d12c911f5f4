// A port: a whole number from 1 to 65,535.
import { NumberInput } from "@mantine/core";
import type { ReactNode } from "react";

interface PortProps {
  readonly label: string;
  readonly description: ReactNode;
  readonly value: number;
  readonly onChange: (port: number) => void;
}

export function PortInput({ onChange, ...frame }: PortProps) {
  return (
    <NumberInput
      {...frame}
      onChange={(value) => onChange(Number(value))}
      min={1}
      max={65_535}
      allowDecimal={false}
      hideControls
      miw={200}
      required
    />
  );
}
