// Words that every visit may need, in English, area by area.
import { shell } from "../shell/en.ts";
import { session } from "../session/en.ts";
import { me } from "../me/en.ts";
import { parts } from "../parts/en.ts";
import { users } from "../users/en.ts";
import { reference } from "../reference/en.ts";
import { overview } from "../overview/en.ts";
import { inspect } from "../inspect/en.ts";
import { chart } from "../chart/en.ts";
import { meanings } from "../meanings/en.ts";
import { messages } from "../messages/en.ts";
import { notices } from "../notices/en.ts";
import { raised } from "../raised/en.ts";
import { actions } from "../actions/en.ts";
import { problems } from "../problems/en.ts";

export const start = {
  shell,
  session,
  me,
  parts,
  users,
  reference,
  overview,
  inspect,
  chart,
  meanings,
  messages,
  notices,
  raised,
  actions,
  problems,
};
