// Many users from a pattern of names, which are shown while it is typed; the job's page then has them as a file and as
// codes.
import { Button } from "@mantine/core";
import { useMemo } from "react";
import { Link, useLocation } from "wouter";
import { nameFrom, readPattern } from "../../lib/name-pattern.ts";
import { call } from "../api/call.ts";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import { useRecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { PageHead } from "../parts/Record.tsx";
import { useSolePlan } from "../plans/plan.ts";
import { usePageTitle } from "../browser/title.ts";
import { LostChoices } from "./LostChoices.tsx";
import { RESETS } from "../plans/limit-fields.ts";
import { NEW_USER, useUserGroups, type NewUserBody } from "./user-fields.ts";
import classes from "./users.module.css";
import { useWords } from "../words/words.ts";

type Body = NewUserBody & { readonly pattern?: string; readonly count?: number; readonly start?: number };

const INITIAL: Values = { ...NEW_USER, planId: 0, pattern: "user-{n:3}", count: 10, start: 1 };
/** Fields that belong to one account alone: generated accounts do not share them. */
const NOT_SHARED: readonly string[] = ["name", "externalId", "contact.telegram_id", "contact.email", "contact.phone"];
/** Names that are shown before the last one. */
const SHOWN = 3;

export default function GeneratePage() {
  const words = useWords("jobs");
  const users = useWords("users");
  const parts = useWords("parts");
  const [, navigate] = useLocation();
  usePageTitle(words.generateTitle);
  const planId = useSolePlan();
  const form = useRecordForm<Body, { job: number }>({
    draft: "users/generate",
    initial: { ...INITIAL, planId },
    save: async (changed) => {
      const {
        allTemplates = true,
        pattern,
        count,
        start,
        ...rest
      } = { ...startOf(INITIAL), ...(planId > 0 && { planId }), ...changed };
      const body: Record<string, unknown> = { ...rest, pattern, count, start, allTemplates };
      if (changed.autoReset === true) for (const field of RESETS) body[field] ??= NEW_USER[field];
      return await call<{ job: number }>("POST", "/users/generate", { query: { async: true }, body });
    },
    onDone: ({ job }) => navigate(`/jobs/${job}`),
  });
  const shared = useUserGroups(true);
  const names = namesOf(form.values);
  const groups = useMemo((): readonly FieldGroup<Body>[] => {
    const help = names === undefined ? words.patternWrong : `${words.preview}: ${names}`;
    const own: FieldGroup<Body> = {
      title: words.pattern,
      text: words.patternHelp,
      fields: [
        { name: "pattern", kind: "text", label: words.pattern, help, required: true, code: true, wide: true },
        { name: "count", kind: "number", label: words.howMany },
        { name: "start", kind: "number", label: words.start },
      ],
    };
    const rest = shared.map((group, at) => ({
      ...group,
      ...(at === 0 ? { title: words.same } : {}),
      fields: group.fields.filter(({ name }) => !NOT_SHARED.includes(name)),
    }));
    return [own, ...rest];
  }, [names, shared, words]);
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.generateTitle} back={{ href: "/users", label: users.title }} />
      <LostChoices />
      <SchemaForm
        form={form}
        groups={groups}
        fresh
        submit={words.generateStart}
        focus="pattern"
        more={
          <Button variant="default" component={Link} href="/users">
            {parts.cancel}
          </Button>
        }
      />
    </div>
  );
}

function startOf({ pattern, count, start }: Values): Body {
  return { pattern: String(pattern), count: Number(count), start: Number(start) };
}

/** The first names and the last one; random parts as dots. Undefined: it is no pattern. */
function namesOf({ pattern, count, start }: Values): string | undefined {
  const read = readPattern(String(pattern));
  if (!read || String(pattern) === "") return undefined;
  const many = Math.max(1, Number(count));
  const nameAt = (place: number) => nameFrom(read, Number(start) + place, (length) => "•".repeat(length));
  const first = Array.from({ length: Math.min(SHOWN, many) }, (_, place) => nameAt(place));
  const dots = many > SHOWN + 1 ? ["…"] : [];
  return [...first, ...dots, ...(many > SHOWN ? [nameAt(many - 1)] : [])].join(", ");
}
