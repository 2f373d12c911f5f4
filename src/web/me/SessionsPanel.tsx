// Where the account is signed in; each session can be ended from here.
import { Badge, Button } from "@mantine/core";
import { useState } from "react";
import type { z } from "zod";
import type { AdminSession } from "../../access/rights/me.schema.ts";
import { useApi, useApiMutation } from "../api/queries.ts";
import { Ago, Moment } from "../parts/Ago.tsx";
import { Answer } from "../parts/Answer.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { Code } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { refusalText } from "../parts/refusal.ts";
import { signOut } from "../session/session.ts";
import { usePaletteActions } from "../shell/palette-actions.ts";
import { sayDone, sayFailed } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import { programOf } from "./browser.ts";
import classes from "./me.module.css";

type Session = z.output<typeof AdminSession>;

export function SessionsPanel() {
  const { sessions: words } = useWords("me");
  const parts = useWords("parts");
  const [asking, setAsking] = useState(false);
  const sessions = useApi<readonly Session[]>("/me/sessions");
  const end = useApiMutation<unknown, number>((id) => ({ method: "DELETE", path: `/me/sessions/${String(id)}` }), {
    refreshes: ["/me/sessions"],
    onDone: () => sayDone(words.ended),
  });
  const endOthers = useApiMutation<unknown>(() => ({ method: "DELETE", path: "/me/sessions" }), {
    refreshes: ["/me/sessions"],
    onDone: () => sayDone(words.othersEnded),
  });
  const others = (sessions.data ?? []).filter(({ current }) => !current).length;
  usePaletteActions(
    others === 0 ? [] : [{ id: "end others", label: words.endOthersTitle, run: () => setAsking(true) }],
  );
  return (
    <Panel
      title={words.title}
      {...(others === 0
        ? {}
        : {
            actions: (
              <Button size="xs" variant="default" onClick={() => setAsking(true)}>
                {words.endOthers}
              </Button>
            ),
          })}
    >
      <p className={classes["note"]}>{words.note}</p>
      <Answer of={sessions}>
        {(listed) => (
          <ul className={classes["sessions"]}>
            {listed.map((session) => (
              <SessionLine
                key={session.id}
                session={session}
                busy={end.isPending && end.variables === session.id}
                onEnd={() =>
                  session.current
                    ? void signOut()
                    : end.mutate(session.id, {
                        onError: (error) => {
                          const { title, cause } = refusalText(error, parts);
                          sayFailed(title, cause);
                        },
                      })
                }
              />
            ))}
          </ul>
        )}
      </Answer>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.endOthersTitle}
        consequence={words.endOthersText(others)}
        confirm={words.endOthers}
        danger
        run={() => endOthers.mutateAsync()}
      />
    </Panel>
  );
}

function SessionLine({
  session,
  busy,
  onEnd,
}: {
  readonly session: Session;
  readonly busy: boolean;
  readonly onEnd: () => void;
}) {
  const { sessions: words } = useWords("me");
  const { account } = useWords("shell");
  const { userAgent, ip, current, lastSeenAt, createdAt, remember, via } = session;
  const { browser, system } = programOf(userAgent);
  const name =
    browser !== undefined && system !== undefined
      ? words.device(browser, system)
      : (browser ?? system ?? words.unknown);
  return (
    <li className={classes["session"]}>
      <div className={classes["sessionText"]}>
        <div className={classes["sessionName"]}>
          <span title={userAgent}>{name}</span>
          {current ? (
            <Badge size="sm" variant="light">
              {words.current}
            </Badge>
          ) : null}
        </div>
        <div className={classes["sessionFacts"]}>
          <span>
            <Code>{ip}</Code>
          </span>
          <span>
            {words.seen}: <Ago at={lastSeenAt} />
          </span>
          <span>
            {words.since}: <Moment at={createdAt} />
          </span>
          <span>{words.via[via]}</span>
          {remember ? <span>{words.remembered}</span> : null}
        </div>
      </div>
      <Button size="xs" variant="default" loading={busy} onClick={onEnd}>
        {current ? account.signOut : words.end}
      </Button>
    </li>
  );
}
