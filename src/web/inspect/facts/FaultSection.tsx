// An actor in quarantine: what its chart threw, and the way out.
import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { useFormat } from "../../format/use-format.ts";
import { Ago } from "../../parts/Ago.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { useCan } from "../../session/me.ts";
import { sayDone } from "../../browser/toasts.tsx";
import { useActorWords } from "../../words/use-actor-words.ts";
import { useWords } from "../../words/words.ts";
import classes from "./facts.module.css";
import type { ActorDetail } from "../wire.ts";

export function FaultSection({ actor, onResumed }: { readonly actor: ActorDetail; readonly onResumed: () => void }) {
  const words = useWords("inspect").actor;
  const { problem } = useActorWords();
  const format = useFormat();
  const can = useCan();
  const [asking, setAsking] = useState(false);
  const { fault, kind, id, name } = actor;
  if (!fault) return null;
  const resume = async () => {
    await call("POST", `/actors/${kind}/${id}/resume`, { body: {} });
    sayDone(words.resumed(name));
    onResumed();
  };
  return (
    <section className={classes["fault"]} aria-label={words.fault}>
      <div className={classes["wake"]}>
        <span className={classes["strong"]}>
          <IconAlertTriangle size={15} aria-hidden /> {words.fault}
        </span>
        {can("admins:write") && (
          <Button size="compact-sm" color="red" variant="filled" onClick={() => setAsking(true)}>
            {words.resume}
          </Button>
        )}
      </div>
      <p>{words.faultText(fault.count, format.number(fault.count))}</p>
      <p className={classes["error"]}>
        <bdi>{problem(kind, fault.cause, fault.message)}</bdi>
      </p>
      <p className={classes["quiet"]}>
        <Ago at={fault.at} />
      </p>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.resumeTitle}
        consequence={words.resumeText(name)}
        confirm={words.resume}
        run={resume}
      />
    </section>
  );
}
