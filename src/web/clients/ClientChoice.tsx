// Which client is meant: one of the known apps, or any by what it calls itself.
import { Select, TextInput } from "@mantine/core";
import { useWords } from "../words/words.ts";
import { clientOf, KNOWN_CLIENTS, OTHER } from "./known-clients.ts";

export function ClientChoice({
  userAgent,
  onChange,
}: {
  readonly userAgent: string;
  readonly onChange: (userAgent: string) => void;
}) {
  const words = useWords("clients");
  return (
    <>
      <Select
        label={words.client}
        allowDeselect={false}
        value={clientOf(userAgent)}
        data={[
          ...KNOWN_CLIENTS.map(({ name }) => ({ value: name, label: name })),
          { value: OTHER, label: words.otherClient },
        ]}
        onChange={(chosen) => onChange(KNOWN_CLIENTS.find(({ name }) => name === chosen)?.userAgent ?? "")}
      />
      <TextInput
        label={words.userAgent}
        dir="ltr"
        maxLength={4096}
        spellCheck={false}
        value={userAgent}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}
