// A passphrase that archives will be made with, typed twice: nobody can look it up afterwards.
import { SimpleGrid, Text } from "@mantine/core";
import { Password } from "../parts/form/Password.tsx";
import { useWords } from "../words/words.ts";

export interface TypedTwice {
  readonly passphrase: string;
  readonly again: string;
}

interface NewPassphraseProps {
  readonly typed: TypedTwice;
  readonly onType: (typed: TypedTwice) => void;
}

export function NewPassphrase({ typed, onType }: NewPassphraseProps) {
  const { passphrase: words } = useWords("backups");
  const differs = typed.again !== "" && typed.again !== typed.passphrase;
  const shared = { dir: "ltr", autoComplete: "new-password", spellCheck: false } as const;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Password
          label={words.label}
          {...shared}
          value={typed.passphrase}
          onChange={({ currentTarget }) => onType({ ...typed, passphrase: currentTarget.value })}
        />
        <Password
          label={words.again}
          {...shared}
          value={typed.again}
          error={differs ? words.differs : undefined}
          onChange={({ currentTarget }) => onType({ ...typed, again: currentTarget.value })}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {words.lost}
      </Text>
    </>
  );
}

/** Whether it can be used. */
export function isTwice({ passphrase, again }: TypedTwice): boolean {
  return passphrase !== "" && passphrase === again;
}
