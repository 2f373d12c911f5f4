// Words that every visit may need, in Russian, area by area.
import { shell } from "../shell/ru.ts";
import { session } from "../session/ru.ts";
import { me } from "../me/ru.ts";
import { parts } from "../parts/ru.ts";
import { users } from "../users/ru.ts";
import { reference } from "../reference/ru.ts";
import { overview } from "../overview/ru.ts";
import { inspect } from "../inspect/ru.ts";
import { chart } from "../chart/ru.ts";
import { meanings } from "../meanings/ru.ts";
import { messages } from "../messages/ru.ts";
import { notices } from "../notices/ru.ts";
import { raised } from "../raised/ru.ts";
import { actions } from "../actions/ru.ts";
import { problems } from "../problems/ru.ts";
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
