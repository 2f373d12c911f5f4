// The dialogs that calls wait for: signing in again over the page, and the second factor. Whatever was typed below them
// stays.
import { lazy, Suspense, useEffect, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { answerHurdles, type Hurdle } from "../api/hurdles.ts";
import { ApiError, call } from "../api/call.ts";
import { useMe, type Me } from "../session/me.ts";
import { signedIn } from "../session/session.ts";
import { answerTabs } from "../session/tabs.ts";

const FactorDialog = lazy(() => import("./FactorDialog.tsx"));
const SessionSheet = lazy(() => import("./SessionSheet.tsx"));

interface Question {
  readonly hurdle: Hurdle;
  readonly answer: (done: boolean) => void;
}

export function Hurdles() {
  const queries = useQueryClient();
  const me = useMe();
  const [questions, setQuestions] = useState<readonly Question[]>([]);

  useEffect(
    () =>
      answerHurdles(
        (hurdle) =>
          new Promise((resolve) => {
            const question: Question = {
              hurdle,
              answer: (done) => {
                setQuestions((open) => open.filter((each) => each !== question));
                resolve(done);
              },
            };
            setQuestions((open) => [...open, question]);
          }),
      ),
    [],
  );

  const ended = questions.find(({ hurdle }) => hurdle === "session");
  const factor = questions.find(({ hurdle }) => hurdle === "factor");

  // Signed in again in another tab: this one goes on too.
  useEffect(() => {
    if (!ended) return undefined;
    const look = async (): Promise<void> => {
      try {
        goOn(await call<Me>("GET", "/me", { hurdles: false }), me, ended.answer);
      } catch (error) {
        // Still out: the sheet stays.
        if (!(error instanceof ApiError)) throw error;
      }
    };
    return answerTabs("begun", () => {
      void look();
    });
  }, [ended, me]);

  return (
    <Suspense>
      {ended ? (
        <SessionSheet
          onSignedIn={(next) => {
            signedIn(queries, next);
            goOn(next, me, ended.answer);
          }}
        />
      ) : null}
      {factor && !ended ? (
        <FactorDialog onDone={() => factor.answer(true)} onCancel={() => factor.answer(false)} />
      ) : null}
    </Suspense>
  );
}

/** The calls go on for the same person; for another one nothing on the page is theirs. */
function goOn(next: Me, before: Me, answer: (done: boolean) => void): void {
  if (next.id === before.id) answer(true);
  else location.reload();
}
