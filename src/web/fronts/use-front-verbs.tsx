// What can be done with a front beside what every fragment has: it is switched.
import { IconPower } from "@tabler/icons-react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { useFragmentVerbs } from "../fragments/use-fragment-verbs.tsx";
import type { Outcome, Verbs } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { FRONTS, type Front } from "./front.ts";

/** `leave`: where the page of a front leads when it is deleted. */
export function useFrontVerbs(leave?: string): Verbs<Front> {
  const words = useWords("fronts");
  const format = useFormat();
  const { writes } = FRONTS.useRights();
  const enable = async (front: Front, enabled: boolean): Promise<Outcome<Front>> => {
    const record = await call<Front>("PUT", `/fronts/${front.id}`, { body: { enabled } });
    const said = (enabled ? words.switchedOn : words.switchedOff)(front.name);
    return { said, record: { ...front, ...record }, undo: () => enable(front, !enabled) };
  };
  return useFragmentVerbs(FRONTS, {
    leave,
    own: (front) => [
      writes && {
        id: "switch",
        label: front.enabled ? words.switchOff : words.switchOn,
        icon: <IconPower size={16} aria-hidden />,
        button: true,
        act: () => enable(front, !front.enabled),
      },
    ],
    remove: ({ inboundIds: { length } }) => ({
      label: words.remove,
      text: words.removeText(length, format.number(length)),
    }),
  });
}
