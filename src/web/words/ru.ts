// All words in Russian, area by area.
import type { Words } from "./language.ts";
import { shell } from "./shell/ru.ts";
import { session } from "./session/ru.ts";
import { me } from "./me/ru.ts";
import { parts } from "./parts/ru.ts";
import { users } from "./users/ru.ts";
import { nodes } from "./nodes/ru.ts";
import { pool } from "./pool/ru.ts";
import { reference } from "./reference/ru.ts";
import { overview } from "./overview/ru.ts";
import { inspect } from "./inspect/ru.ts";
import { events } from "./events/ru.ts";
import { webhooks } from "./webhooks/ru.ts";
import { audit } from "./audit/ru.ts";
import { security } from "./security/ru.ts";
import { settings } from "./settings/ru.ts";
import { chart } from "./chart/ru.ts";
import { meanings } from "./meanings/ru.ts";
import { messages } from "./messages/ru.ts";
import { notices } from "./notices/ru.ts";
import { raised } from "./raised/ru.ts";
import { actions } from "./actions/ru.ts";
import { problems } from "./problems/ru.ts";

export const ru: Words = {
  shell,
  session,
  me,
  parts,
  users,
  nodes,
  overview,
  pool,
  reference,
  inspect,
  events,
  webhooks,
  audit,
  security,
  settings,
  chart,
  meanings,
  messages,
  notices,
  raised,
  actions,
  problems,
};
