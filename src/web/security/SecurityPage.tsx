// The page of bans: it lists the addresses that cannot sign in for now, and lifts a ban.
import { Button } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { z } from "zod";
import type { Ban as BanSchema } from "../../access/login/bans.schema.ts";
import { call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Countdown } from "../parts/Ago.tsx";
import { Answer, Empty } from "../parts/Answer.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { Code } from "../parts/Names.tsx";
import { PageHead, Panel } from "../parts/Record.tsx";
import { useCan } from "../session/me.ts";
import { usePageTitle } from "../browser/title.ts";
import { sayDone } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import classes from "./security.module.css";

type Ban = z.output<typeof BanSchema>;
const REFRESH_MS = 15_000;

export default function SecurityPage() {
  const words = useWords("security");
  const lifts = useCan()("security:write");
  const bans = useApi<readonly Ban[]>("/security/bans", {}, { refetchInterval: REFRESH_MS });
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Ban>();
  usePageTitle(words.title);
  const lift = async (ban: Ban) => {
    await call("DELETE", `/security/bans/${encodeURIComponent(ban.ip)}`);
    sayDone(words.lifted(ban.ip));
    await queries.invalidateQueries({ queryKey: ["/security/bans"] });
  };
  return (
    <>
      <PageHead title={words.title} under={words.text} />
      <div className={classes["page"]}>
        <Panel title={words.bans}>
          <Answer
            of={bans}
            empty={(listed) => listed.length === 0}
            whenEmpty={
              <Empty
                title={words.none}
                text={words.noneText}
                icon={<IconShieldCheck size={32} stroke={1.4} aria-hidden />}
              />
            }
          >
            {(listed) => (
              <ul className={classes["bans"]}>
                {listed.map((ban) => (
                  <BanLine key={ban.ip} ban={ban} onLift={lifts ? () => setAsked(ban) : undefined} />
                ))}
              </ul>
            )}
          </Answer>
        </Panel>
      </div>
      <ConfirmDialog
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={words.liftTitle(asked?.ip ?? "")}
        consequence={words.liftText}
        confirm={words.lift}
        run={async () => asked && lift(asked)}
      />
    </>
  );
}

function BanLine({ ban, onLift }: { readonly ban: Ban; readonly onLift: (() => void) | undefined }) {
  const words = useWords("security");
  const format = useFormat();
  const { ip, until, reason, attempts } = ban;
  const told = Object.entries(words.reasons).find(([said]) => said === reason)?.[1];
  return (
    <li className={classes["ban"]}>
      <div className={classes["banText"]}>
        <Code copy>{ip}</Code>
        <div className={classes["facts"]}>
          <span>{told ?? <bdi>{reason}</bdi>}</span>
          <span>{words.attempts(attempts, format.number(attempts))}</span>
          <span>
            {words.left} <Countdown to={until} />
          </span>
        </div>
      </div>
      {onLift ? (
        <Button size="xs" variant="default" onClick={onLift} aria-label={words.liftOf(ip)}>
          {words.lift}
        </Button>
      ) : null}
    </li>
  );
}
