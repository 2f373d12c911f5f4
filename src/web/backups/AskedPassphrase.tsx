// The passphrase that an archive was made with, once the panel has asked for it.
import { Password } from "../parts/form/Password.tsx";
import { useWords } from "../words/words.ts";

interface AskedPassphraseProps {
  readonly value: string;
  readonly onType: (value: string) => void;
  /** The one that was given did not open the archive. */
  readonly wrong: boolean;
}

export function AskedPassphrase({ value, onType, wrong }: AskedPassphraseProps) {
  const { passphrase: words } = useWords("backups");
  return (
    <Password
      label={words.label}
      description={words.askedText}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      autoFocus
      value={value}
      error={wrong ? words.wrong : undefined}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
    />
  );
}
