// Words that come with the page that needs them, in Russian, area by area.
import { access } from "../access/ru.ts";
import { audit } from "../audit/ru.ts";
import { events } from "../events/ru.ts";
import { nodes } from "../nodes/ru.ts";
import { pool } from "../pool/ru.ts";
import { security } from "../security/ru.ts";
import { settings } from "../settings/ru.ts";
import { webhooks } from "../webhooks/ru.ts";
import type { LaterWords } from "../language.ts";

export const later: LaterWords = { access, audit, events, nodes, pool, security, settings, webhooks };
