// The reader's own account: its name, its role, and the scopes that the role permits.
import { Badge } from "@mantine/core";
import { Code, Name } from "../parts/Names.tsx";
import { Facts, Panel } from "../parts/Record.tsx";
import { useMe } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import classes from "./me.module.css";

export function AccountPanel() {
  const { account: words } = useWords("me");
  const { tiers } = useWords("shell").account;
  const { username, role, base, owner, scopes } = useMe();
  return (
    <Panel title={words.title} {...(owner ? { actions: <Badge variant="light">{words.owner}</Badge> } : {})}>
      <Facts
        items={[
          { label: words.username, value: <Code copy>{username}</Code> },
          { label: words.role, value: <Name>{role}</Name> },
          { label: words.tier, value: tiers[base] },
          {
            label: words.scopes,
            value: (
              <details>
                <summary>{words.scopesCount(scopes.length)}</summary>
                <div className={classes["scopes"]}>
                  {scopes.map((scope) => (
                    <Code key={scope}>{scope}</Code>
                  ))}
                </div>
              </details>
            ),
          },
        ]}
      />
    </Panel>
  );
}
