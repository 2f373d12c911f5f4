// What every process on a shared database must hear of the others' commits: the tables of which something is kept in memory, and the facts that no row tells.
import { AdminRows, ApiTokenRows, RoleRows, SessionRows } from "../access/index.ts";
import { ACCOUNTS_CHANGED, UserRows } from "../accounts/index.ts";
import { CertificateRows } from "../certificates/index.ts";
import type { Echo } from "../db/index.ts";
import { WebhookRows } from "../events/index.ts";
import { FLEET_FACTS, NodeRows } from "../fleet/index.ts";
import { CREDENTIALS_ENDED } from "../http/index.ts";
import { InboundRows, OutboundRows, TemplateRows } from "../pool/index.ts";
import { SHARED_FACTS } from "../runtime/index.ts";
import { SettingRows } from "../system/index.ts";

export const echo: Echo = {
  tables: new Set(
    [
      AdminRows,
      RoleRows,
      SessionRows,
      ApiTokenRows,
      SettingRows,
      CertificateRows,
      WebhookRows,
      InboundRows,
      OutboundRows,
      TemplateRows,
      NodeRows,
      UserRows,
    ].map(({ name }) => name),
  ),
  facts: new Set([...SHARED_FACTS, ACCOUNTS_CHANGED, CREDENTIALS_ENDED, ...FLEET_FACTS]),
};
