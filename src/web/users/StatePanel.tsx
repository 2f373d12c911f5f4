// State, since, why, next: in words, from the account's record and its actor.
import { Anchor, Text } from "@mantine/core";
import type { z } from "zod";
import { Link } from "wouter";
import type { ActorDetail } from "../../system/actors/actor.schema.ts";
import { useApi } from "../api/queries.ts";
import { Ago, Countdown, Moment } from "../parts/Ago.tsx";
import { readEvent } from "../inspect/event/event-sign.ts";
import { Name } from "../parts/Names.tsx";
import { useNow } from "../parts/now.ts";
import { Facts, Panel } from "../parts/Record.tsx";
import { useCan } from "../session/me.ts";
import { useActorWords } from "../words/use-actor-words.ts";
import { useWords } from "../words/words.ts";
import { useStandingText } from "./UserStanding.tsx";
import { standingOf, type User } from "./user.ts";

type Actor = z.output<typeof ActorDetail>;

export function StatePanel({ user }: { readonly user: User }) {
  const words = useWords("users");
  const can = useCan();
  const seesActor = can("stats:read");
  const { data: actor } = useApi<Actor>(`/actors/user/${user.id}`, {}, { enabled: seesActor });
  const text = useStandingText();
  const translate = useActorWords();
  const who = actor?.why?.actor ?? "";
  return (
    <Panel
      title={words.stateTitle}
      actions={
        seesActor ? (
          <Anchor component={Link} href={`/inspect/user/${user.id}`} size="sm">
            {words.inspect}
          </Anchor>
        ) : undefined
      }
    >
      <Text fw={550} mb={6}>
        {text(user)}
      </Text>
      <Facts
        items={[
          {
            label: words.since,
            value: actor ? (
              <>
                <Moment at={actor.since} /> · <Ago at={actor.since} />
              </>
            ) : undefined,
          },
          {
            label: words.why,
            value: actor?.why ? (
              <>
                <span title={actor.why.event}>
                  {translate.event("user", readEvent(actor.why.event, "user"), actor.state)}
                </span>
                {who === "" || who === "timer" ? null : (
                  <>
                    {" "}
                    <Name>{words.by(who)}</Name>
                  </>
                )}
              </>
            ) : undefined,
          },
          { label: words.nextTitle, value: <Next user={user} actor={actor} /> },
        ]}
      />
    </Panel>
  );
}

/** What happens next automatically, or what it waits for. */
function Next({ user, actor }: { readonly user: User; readonly actor: Actor | undefined }) {
  const words = useWords("users").next;
  const { problem } = useActorWords();
  const fault = actor?.fault;
  const now = useNow(15);
  const { kind } = standingOf(user, now);
  const waits = {
    volume: words.back,
    expiry: words.renew,
    resaleVolume: words.reseller,
    resaleExpiry: words.reseller,
    manual: words.person,
  };
  const dates = [
    { text: words.reset, at: user.nextReset },
    { text: words.end, at: kind === "active" ? user.expiry : 0 },
  ].filter(({ at }) => at > now);
  return (
    <>
      {kind === "pending" ? <div>{words.first}</div> : null}
      {kind in waits ? <div>{waits[kind as keyof typeof waits]}</div> : null}
      {dates.map(({ text, at }) => (
        <div key={text}>
          {text}: <Moment at={at} /> · <Countdown to={at} />
        </div>
      ))}
      {(kind === "active" && dates.length === 0) || fault ? (
        <div>{fault ? problem("user", fault.cause, fault.message) : words.nothing}</div>
      ) : null}
    </>
  );
}
