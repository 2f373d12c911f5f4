// All words in English, area by area.
import { shell } from "./shell/en.ts";
import { session } from "./session/en.ts";
import { me } from "./me/en.ts";
import { parts } from "./parts/en.ts";
import { users } from "./users/en.ts";
import { nodes } from "./nodes/en.ts";
import { pool } from "./pool/en.ts";
import { reference } from "./reference/en.ts";
import { overview } from "./overview/en.ts";
import { inspect } from "./inspect/en.ts";
import { events } from "./events/en.ts";
import { webhooks } from "./webhooks/en.ts";
import { audit } from "./audit/en.ts";
import { security } from "./security/en.ts";
import { settings } from "./settings/en.ts";
import { chart } from "./chart/en.ts";
import { meanings } from "./meanings/en.ts";
import { messages } from "./messages/en.ts";
import { notices } from "./notices/en.ts";
import { raised } from "./raised/en.ts";
import { actions } from "./actions/en.ts";
import { problems } from "./problems/en.ts";

export const en = {
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
