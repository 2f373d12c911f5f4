// The last requests for the account's subscription: when, from where, by which app, and what it was answered.
import type { z } from "zod";
import type { SubRequestView } from "../../accounts/devices/devices.schema.ts";
import { useApi } from "../api/queries.ts";
import { Ago } from "../parts/Ago.tsx";
import { Answer, Empty } from "../parts/Answer.tsx";
import { Code } from "../parts/Names.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";
import type { User } from "./user.ts";
import classes from "./users.module.css";

type Fetch = z.output<typeof SubRequestView>;

const REFRESH_MS = 10_000;

export function FetchList({ user }: { readonly user: Pick<User, "id"> }) {
  const words = useWords("clients");
  const fetches = useApi<readonly Fetch[]>(`/users/${user.id}/sub/requests`, {}, { refetchInterval: REFRESH_MS });
  return (
    <Answer of={fetches} empty={(rows) => rows.length === 0} whenEmpty={<Empty small title={words.noFetches} />}>
      {(rows) => (
        <div className={classes["scroll"]} tabIndex={0} role="region" aria-label={words.fetchesTitle}>
          <table className={classes["table"]}>
            <thead>
              <tr>
                <th>{words.when}</th>
                <th>{words.answered}</th>
                <th>{words.app}</th>
                <th>{words.address}</th>
                <th>{words.device}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                // Two may come in one second: the place tells them apart.
                <tr key={index}>
                  <td>
                    <Ago at={row.at} />
                  </td>
                  <td>
                    <ToneBadge tone={row.status === 200 ? "ok" : "failed"}>{row.status}</ToneBadge>{" "}
                    <Code>{row.format}</Code>
                  </td>
                  <td>{row.userAgent === "" ? words.unnamed : <Code>{row.userAgent}</Code>}</td>
                  <td>
                    <Code copy>{row.ip}</Code>
                  </td>
                  <td>{row.hwid === "" ? null : <Code>{row.hwid}</Code>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Answer>
  );
}
