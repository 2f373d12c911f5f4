// The account whose subscription is looked at, found by name; the newest one unless another is chosen.
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useApi, type Listing } from "../api/queries.ts";
import { refusalText } from "../parts/refusal.ts";
import { useWords } from "../words/words.ts";

interface Account {
  readonly id: number;
  readonly name: string;
}

const PAUSE_MS = 300;
const SHOWN = 20;

export function AccountChoice({
  value,
  onChange,
}: {
  readonly value: number | undefined;
  readonly onChange: (id: number) => void;
}) {
  const words = useWords("clients");
  const parts = useWords("parts");
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<Account>();
  const [q] = useDebouncedValue(typed === chosen?.name ? "" : typed, PAUSE_MS);
  const found = useApi<Listing<Account>>("/users", { q, limit: SHOWN, sort: "id", order: "desc" });
  const items = found.data?.items ?? [];
  const newest = items[0];
  useEffect(() => {
    if (value !== undefined || newest === undefined || q !== "") return;
    setChosen(newest);
    setTyped(newest.name);
    onChange(newest.id);
  }, [value, newest, q, onChange]);
  const nobody = q === "" && found.data?.total === 0;
  // The chosen one stays among the choices while others are looked for.
  const listed = chosen && !items.some(({ id }) => id === chosen.id) ? [chosen, ...items] : items;
  return (
    <Select
      label={words.account}
      searchable
      allowDeselect={false}
      nothingFoundMessage={words.noAccount}
      {...(nobody && { description: words.noAccounts, disabled: true })}
      {...(found.error && { error: refusalText(found.error, parts).cause })}
      value={value === undefined ? null : String(value)}
      searchValue={typed}
      onSearchChange={setTyped}
      // The panel has found them already.
      filter={({ options }) => options}
      data={listed.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={(next) => {
        const account = listed.find(({ id }) => String(id) === next);
        if (!account) return;
        setChosen(account);
        onChange(account.id);
      }}
    />
  );
}
