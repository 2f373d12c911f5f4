// Words that every visit may need, in Persian, area by area.
import { shell } from "../shell/fa.ts";
import { session } from "../session/fa.ts";
import { me } from "../me/fa.ts";
import { parts } from "../parts/fa.ts";
import { users } from "../users/fa.ts";
import { reference } from "../reference/fa.ts";
import { overview } from "../overview/fa.ts";
import { inspect } from "../inspect/fa.ts";
import { chart } from "../chart/fa.ts";
import { meanings } from "../meanings/fa.ts";
import { messages } from "../messages/fa.ts";
import { notices } from "../notices/fa.ts";
import { raised } from "../raised/fa.ts";
import { actions } from "../actions/fa.ts";
import { problems } from "../problems/fa.ts";
import type { StartWords } from "../language.ts";

export const start: StartWords = {
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
