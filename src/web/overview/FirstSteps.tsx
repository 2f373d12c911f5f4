// The checklist of a new panel: each step with its link, gone when somebody is served or when it is put away.
import { ActionIcon, Anchor, Button } from "@mantine/core";
import { IconArrowRight, IconCircleCheck, IconCircleDashed, IconX } from "@tabler/icons-react";
import { Link } from "wouter";
import { Name } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { useKept } from "../browser/use-kept.ts";
import { useWords } from "../words/words.ts";
import { nextStep, type FirstStep, type Step } from "./first-steps.ts";
import classes from "./overview.module.css";

const LINKS: Readonly<Record<FirstStep, string>> = {
  serve: "/nodes/start",
  node: "/nodes/new",
  user: "/users/new",
  link: "/users",
};

export default function FirstSteps({ steps }: { readonly steps: readonly Step[] }) {
  const words = useWords("overview");
  const [away, putAway] = useKept("firstSteps");
  const next = nextStep(steps);
  if (away === "away" || next === undefined) return null;
  return (
    <div className={classes["begin"]}>
      <Panel
        title={words.steps.title}
        actions={
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.steps.away}
            title={words.steps.away}
            onClick={() => putAway("away")}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        }
      >
        <ol className={classes["steps"]}>
          {steps.map(({ id, done, made, at, begun }) => (
            <li key={id} className={classes["step"]} data-done={done}>
              {done ? (
                <IconCircleCheck size={20} color="var(--tone-ok)" aria-label={words.steps.done} />
              ) : (
                <IconCircleDashed size={20} color="var(--dim)" aria-hidden />
              )}
              <div className={classes["stepText"]}>
                <span className={classes["stepName"]}>{words.steps[id].name}</span>
                <span className={classes["stepWhy"]}>
                  {begun !== undefined ? (
                    words.steps.begun(begun)
                  ) : made === undefined ? (
                    words.steps[id].text
                  ) : (
                    <Anchor component={Link} href={made.href} size="sm">
                      <Name>{made.name}</Name>
                    </Anchor>
                  )}
                </span>
              </div>
              {done ? null : (
                <Button
                  component={Link}
                  href={at ?? LINKS[id]}
                  size="xs"
                  variant={id === next ? "filled" : "default"}
                  rightSection={<IconArrowRight size={14} aria-hidden className={classes["forward"] ?? ""} />}
                >
                  {begun === undefined ? words.steps[id].action : words.steps.seeBegun}
                </Button>
              )}
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  );
}
