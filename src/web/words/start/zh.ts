// Words that every visit may need, in Chinese, area by area.
import { shell } from "../shell/zh.ts";
import { session } from "../session/zh.ts";
import { me } from "../me/zh.ts";
import { parts } from "../parts/zh.ts";
import { users } from "../users/zh.ts";
import { reference } from "../reference/zh.ts";
import { overview } from "../overview/zh.ts";
import { inspect } from "../inspect/zh.ts";
import { chart } from "../chart/zh.ts";
import { meanings } from "../meanings/zh.ts";
import { messages } from "../messages/zh.ts";
import { notices } from "../notices/zh.ts";
import { raised } from "../raised/zh.ts";
import { actions } from "../actions/zh.ts";
import { problems } from "../problems/zh.ts";
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
