// Which client is meant: one of the known apps, or any by what it calls itself.
import { Select, TextInput } from "@mantine/core";
import { useWords } from "../words/words.ts";
import { clientOf, KNOWN_CLIENTS, OTHER } from "./known-clients.ts";

interface ChoiceProps {
  readonly userAgent: string;
  readonly onChange: (userAgent: string) => void;
}

export function ClientChoice(props: ChoiceProps) {
  return (
    <>
      <KnownClientChoice {...props} />
      <UserAgentInput {...props} />
    </>
  );
}

export function KnownClientChoice({ userAgent, onChange }: ChoiceProps) {
  const words = useWords("clients");
  return (
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
  );
}

export function UserAgentInput({ userAgent, onChange }: ChoiceProps) {
  const words = useWords("clients");
  return (
    <TextInput
      label={words.userAgent}
      dir="ltr"
      maxLength={4096}
      spellCheck={false}
      value={userAgent}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
