// A picture from the person's device, kept in the setting itself.
import { Button, FileButton, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../words/words.ts";
import classes from "./subscription.module.css";

export function PictureField({
  label,
  note,
  tooLarge,
  length,
  value,
  writes,
  read,
  onChange,
}: {
  readonly label: string;
  readonly note: string;
  readonly tooLarge: string;
  /** Characters of its address, as the panel takes it. */
  readonly length: number;
  /** Empty: none. */
  readonly value: string;
  readonly writes: boolean;
  /** The address of a file; it fails on what is no picture. */
  readonly read: (file: File) => Promise<string>;
  readonly onChange: (value: string) => void;
}) {
  const words = useWords("subscription");
  const [problem, setProblem] = useState("");
  const take = async (file: File | null) => {
    if (!file) return;
    try {
      const address = await read(file);
      setProblem(address.length > length ? tooLarge : "");
      if (address.length <= length) onChange(address);
    } catch {
      // The browser says no more than that.
      setProblem(words.notPicture);
    }
  };
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
      <Group gap="sm" mt={4}>
        {value === "" ? null : <img src={value} alt={label} className={classes["logo"]} />}
        <FileButton
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          onChange={(file) => void take(file)}
          disabled={!writes}
        >
          {(props) => (
            <Button {...props} variant="default" size="sm" disabled={!writes}>
              {words.logoChoose}
            </Button>
          )}
        </FileButton>
        {value === "" || !writes ? null : (
          <Button variant="subtle" size="sm" onClick={() => onChange("")}>
            {words.logoRemove}
          </Button>
        )}
      </Group>
      {problem === "" ? null : (
        <Text c="red" size="sm" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}
