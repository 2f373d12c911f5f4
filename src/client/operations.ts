// What the panel's description says, as types. Written by `UPDATE_DOCS=1 npm test -- test/client/operations.test.ts`.
// oxlint-disable max-lines

/** Method and path of each operation, by its name in the description. */
export const OPERATIONS = {
  beginMyTwoFactor: ["POST", "/me/2fa/totp"],
  beginProviderLogin: ["POST", "/login/oidc/start"],
  bulkUsers: ["POST", "/users/bulk/{op}"],
  cancelJob: ["POST", "/jobs/{id}/cancel"],
  changeMyPassword: ["PUT", "/me/password"],
  closeUserConnections: ["POST", "/users/{id}/connections/close"],
  confirmMySecondFactor: ["POST", "/me/confirm"],
  createAdmin: ["POST", "/admins"],
  createBackup: ["POST", "/backups"],
  createBackupPreview: ["POST", "/backup/preview"],
  createBackupRestore: ["POST", "/backup/restore"],
  createFront: ["POST", "/fronts"],
  createInbound: ["POST", "/inbounds"],
  createNode: ["POST", "/nodes"],
  createOidcProvider: ["POST", "/oidc-providers"],
  createOutbound: ["POST", "/outbounds"],
  createPlan: ["POST", "/plans"],
  createRole: ["POST", "/roles"],
  createSetupRestore: ["POST", "/setup/restore"],
  createSubPageTest: ["POST", "/sub/page/test"],
  createTemplate: ["POST", "/templates"],
  createToken: ["POST", "/tokens"],
  createUser: ["POST", "/users"],
  createUsers: ["POST", "/users/batch"],
  createWebhook: ["POST", "/webhooks"],
  deleteAdmin: ["DELETE", "/admins/{id}"],
  deleteBackup: ["DELETE", "/backups/{name}"],
  deleteFront: ["DELETE", "/fronts/{id}"],
  deleteInbound: ["DELETE", "/inbounds/{id}"],
  deleteNode: ["DELETE", "/nodes/{id}"],
  deleteOidcProvider: ["DELETE", "/oidc-providers/{id}"],
  deleteOutbound: ["DELETE", "/outbounds/{id}"],
  deletePlan: ["DELETE", "/plans/{id}"],
  deleteRole: ["DELETE", "/roles/{id}"],
  deleteTemplate: ["DELETE", "/templates/{id}"],
  deleteToken: ["DELETE", "/tokens/{id}"],
  deleteUser: ["DELETE", "/users/{id}"],
  deleteUserDevice: ["DELETE", "/users/{id}/devices/{hwid}"],
  deleteUserDevices: ["DELETE", "/users/{id}/devices"],
  deleteWebhook: ["DELETE", "/webhooks/{id}"],
  downloadBackup: ["GET", "/backup"],
  downloadStoredBackup: ["GET", "/backups/{name}"],
  emptyChanges: ["DELETE", "/changes"],
  endAdminSessions: ["DELETE", "/admins/{id}/sessions"],
  endMyOtherSessions: ["DELETE", "/me/sessions"],
  endMySession: ["DELETE", "/me/sessions/{id}"],
  exportChanges: ["GET", "/changes/export"],
  exportUsers: ["GET", "/users/export"],
  extendUser: ["POST", "/users/{id}/extend"],
  finishProviderLogin: ["GET", "/login/oidc/callback"],
  finishProviderLoginAt: ["GET", "/login/oidc/callback/{id}"],
  finishSetup: ["POST", "/setup"],
  forgetDeletedUser: ["DELETE", "/users/deleted/{id}"],
  generateUsers: ["POST", "/users/generate"],
  getActor: ["GET", "/actors/{kind}/{id}"],
  getActorLog: ["GET", "/actors/{kind}/{id}/log"],
  getAdmin: ["GET", "/admins/{id}"],
  getAdminReport: ["GET", "/reports/admins"],
  getBackupManifest: ["GET", "/backups/{name}/manifest"],
  getBackupSchedule: ["GET", "/backups/schedule"],
  getChange: ["GET", "/changes/{id}"],
  getChangeFacets: ["GET", "/changes/facets"],
  getChangeFacetsAgain: ["GET", "/changes/facetsj"],
  getConfigSchema: ["GET", "/tools/config-schema"],
  getDeletedUser: ["GET", "/users/deleted/{id}"],
  getDescriptionAsJson: ["GET", "/openapi.json"],
  getDescriptionAsYaml: ["GET", "/openapi.yaml"],
  getExpiries: ["GET", "/stats/expiries"],
  getFront: ["GET", "/fronts/{id}"],
  getGrowth: ["GET", "/stats/growth"],
  getInbound: ["GET", "/inbounds/{id}"],
  getJob: ["GET", "/jobs/{id}"],
  getMe: ["GET", "/me"],
  getMyInterface: ["GET", "/me/ui"],
  getMyTwoFactor: ["GET", "/me/2fa"],
  getNode: ["GET", "/nodes/{id}"],
  getNodeHealth: ["GET", "/nodes/{id}/health"],
  getNodeReport: ["GET", "/reports/nodes"],
  getNodeSparklines: ["GET", "/nodes/sparklines"],
  getNodeStats: ["GET", "/nodes/{id}/stats"],
  getOidcProvider: ["GET", "/oidc-providers/{id}"],
  getOutbound: ["GET", "/outbounds/{id}"],
  getPanelInfo: ["GET", "/panel/info"],
  getPanelTrust: ["GET", "/nodes/install/trust"],
  getPlan: ["GET", "/plans/{id}"],
  getRole: ["GET", "/roles/{id}"],
  getSetup: ["GET", "/setup"],
  getTemplate: ["GET", "/templates/{id}"],
  getToken: ["GET", "/tokens/{id}"],
  getTraffic: ["GET", "/stats/traffic"],
  getUser: ["GET", "/users/{id}"],
  getUserNodeUsage: ["GET", "/users/{id}/node-usage"],
  getUserReport: ["GET", "/reports/users"],
  getUserSparklines: ["GET", "/users/sparklines"],
  getUserTraffic: ["GET", "/users/{id}/traffic"],
  getUserVerdict: ["GET", "/users/{id}/verdict"],
  getWebhook: ["GET", "/webhooks/{id}"],
  getWebhookDelivery: ["GET", "/webhooks/{id}/deliveries/{delivery}"],
  importUsers: ["POST", "/users/import"],
  liftBan: ["DELETE", "/security/bans/{ip}"],
  linkMyIdentity: ["POST", "/me/oidc/link"],
  listActorJournal: ["GET", "/actors/{kind}/{id}/journal"],
  listActors: ["GET", "/actors"],
  listAdmins: ["GET", "/admins"],
  listBackups: ["GET", "/backups"],
  listBans: ["GET", "/security/bans"],
  listChanges: ["GET", "/changes"],
  listDeletedUsers: ["GET", "/users/deleted"],
  listEventTypes: ["GET", "/events"],
  listEvents: ["GET", "/events/log"],
  listFronts: ["GET", "/fronts"],
  listInboundFronts: ["GET", "/inbounds/{id}/fronts"],
  listInbounds: ["GET", "/inbounds"],
  listJobLines: ["GET", "/jobs/{id}/lines"],
  listJobUsers: ["GET", "/jobs/{id}/users"],
  listJobs: ["GET", "/jobs"],
  listLoginProviders: ["GET", "/login/oidc"],
  listMachines: ["GET", "/machines"],
  listMyIdentities: ["GET", "/me/oidc"],
  listMySessions: ["GET", "/me/sessions"],
  listNodeUsageRefusals: ["GET", "/nodes/{id}/usage-refusals"],
  listNodes: ["GET", "/nodes"],
  listOidcProviders: ["GET", "/oidc-providers"],
  listOutbounds: ["GET", "/outbounds"],
  listPlans: ["GET", "/plans"],
  listRoles: ["GET", "/roles"],
  listScopes: ["GET", "/scopes"],
  listSettings: ["GET", "/settings"],
  listTemplates: ["GET", "/templates"],
  listTokens: ["GET", "/tokens"],
  listUsageMoves: ["GET", "/users/usage"],
  listUserAddresses: ["GET", "/users/{id}/addresses"],
  listUserAppConfigs: ["GET", "/users/{id}/app-configs"],
  listUserConnections: ["GET", "/users/{id}/connections"],
  listUserConnectionsOnNode: ["GET", "/users/{id}/connections/{nodeId}"],
  listUserDevices: ["GET", "/users/{id}/devices"],
  listUserFormats: ["GET", "/users/{id}/sub/formats"],
  listUserSubRequests: ["GET", "/users/{id}/sub/requests"],
  listUsers: ["GET", "/users"],
  listWebhookDeliveries: ["GET", "/webhooks/{id}/deliveries"],
  listWebhooks: ["GET", "/webhooks"],
  logIn: ["POST", "/login"],
  logInWithCode: ["POST", "/login/mfa"],
  logOut: ["POST", "/logout"],
  makeAdminOwner: ["POST", "/admins/{id}/owner"],
  makePassword: ["POST", "/tools/password"],
  makeRealityKeyPair: ["POST", "/tools/reality-keypair"],
  makeShadowsocksKey: ["POST", "/tools/ss-key"],
  makeUuid: ["POST", "/tools/uuid"],
  makeWireguardKeyPair: ["POST", "/tools/wireguard-keypair"],
  moveNode: ["POST", "/nodes/{id}/move"],
  orderPlans: ["PUT", "/plans/order"],
  pingWebhook: ["POST", "/webhooks/{id}/ping"],
  previewActorEvent: ["GET", "/actors/{kind}/{id}/preview"],
  previewBackup: ["POST", "/backups/{name}/preview"],
  previewUserSubscription: ["GET", "/users/{id}/sub/preview"],
  reconnectNode: ["POST", "/nodes/{id}/reconnect"],
  refreshHappKey: ["POST", "/settings/happ-key/refresh"],
  refreshIncyKey: ["POST", "/settings/incy-key/refresh"],
  rehearseBackup: ["POST", "/backups/{name}/rehearse"],
  renewMyRecoveryCodes: ["POST", "/me/2fa/recovery"],
  renewUser: ["POST", "/users/{id}/renew"],
  repinNode: ["POST", "/nodes/{id}/repin"],
  replaceAdmin: ["PUT", "/admins/{id}"],
  replaceFront: ["PUT", "/fronts/{id}"],
  replaceInbound: ["PUT", "/inbounds/{id}"],
  replaceNode: ["PUT", "/nodes/{id}"],
  replaceOidcProvider: ["PUT", "/oidc-providers/{id}"],
  replaceOutbound: ["PUT", "/outbounds/{id}"],
  replacePlan: ["PUT", "/plans/{id}"],
  replaceRole: ["PUT", "/roles/{id}"],
  replaceTemplate: ["PUT", "/templates/{id}"],
  replaceUser: ["PUT", "/users/{id}"],
  replaceWebhook: ["PUT", "/webhooks/{id}"],
  resendWebhookDeliveries: ["POST", "/webhooks/{id}/deliveries/resend"],
  resendWebhookDelivery: ["POST", "/webhooks/{id}/deliveries/{delivery}/resend"],
  resetUserUsage: ["POST", "/users/{id}/reset-usage"],
  restartPanel: ["POST", "/restart"],
  restoreBackup: ["POST", "/backups/{name}/restore"],
  restoreUser: ["POST", "/users/{id}/restore"],
  restoreUsers: ["POST", "/users/deleted/restore"],
  resumeActor: ["POST", "/actors/{kind}/{id}/resume"],
  rotateUserLink: ["POST", "/users/{id}/sub/rotate"],
  sendActorEvent: ["POST", "/actors/{kind}/{id}/events"],
  setAdminPassword: ["PUT", "/admins/{id}/password"],
  setBackupSchedule: ["PUT", "/backups/schedule"],
  setInboundFronts: ["PUT", "/inbounds/{id}/fronts"],
  setMyDashboardTiles: ["PUT", "/me/dashboard-tiles"],
  setMyInterface: ["PUT", "/me/ui"],
  setNodeEnabled: ["POST", "/nodes/{id}/enabled"],
  setNodeRouting: ["PUT", "/nodes/{id}/routing"],
  setNodeTemplate: ["PUT", "/nodes/{id}/template"],
  setSetting: ["PUT", "/settings/{key}"],
  summarizeUsers: ["GET", "/users/summary"],
  switchMyTwoFactorOff: ["DELETE", "/me/2fa"],
  switchMyTwoFactorOn: ["POST", "/me/2fa/totp/confirm"],
  syncNode: ["POST", "/nodes/{id}/sync"],
  testOidcProvider: ["POST", "/oidc-providers/{id}/test"],
  testSubRules: ["POST", "/sub/rules/test"],
  undoJob: ["POST", "/jobs/{id}/undo"],
  unlinkMyIdentity: ["DELETE", "/me/oidc/links/{id}"],
  updateUser: ["PATCH", "/users/{id}"],
} as const;

export type OperationId = keyof typeof OPERATIONS;

/** What each operation takes: parameters of its path, of its query, and its body. */
export interface Inputs {
  /**
   * Begin to switch two-factor on: a secret for the authenticator, kept with this session until it
   * is confirmed
   */
  beginMyTwoFactor: object;
  /** Begin a sign-in at an identity provider */
  beginProviderLogin: { body: BeginProviderLoginBody };
  /** Do the same to many users */
  bulkUsers: {
    path: {
      /** What is done to each of them. */
      readonly op:
        | "enable"
        | "disable"
        | "delete"
        | "reset-usage"
        | "extend"
        | "add-volume"
        | "edit"
        | "assign"
        | "rotate-sub"
        | "renew";
    };
    query?: {
      /** Accounts in these states, between commas: active, disabled, pending, expired, limited. */
      readonly status?: string;
      /**
       * Accounts that are off for these reasons, between commas: manual, volume, expiry, resale-volume,
       * resale-expiry.
       */
      readonly reason?: string;
      /** Accounts with traffic in the last 90 seconds, or those without. */
      readonly online?: boolean;
      /** What people call it. */
      readonly name?: string;
      /** The name of the subscription in its address; made at random where it is left out or empty. */
      readonly subId?: string;
      /** What a shop calls the account, its own among all accounts; empty: none. */
      readonly externalId?: string;
      /** A label to find accounts by; empty: none. */
      readonly group?: string;
      /** Accounts of this operator alone; 0: the panel's own. */
      readonly admin_id?: number;
      /** Accounts that this template serves. */
      readonly template_id?: number;
      /** Accounts that this node serves. */
      readonly node_id?: number;
      /** Accounts that this inbound serves. */
      readonly inbound_id?: number;
      /** Accounts that an inbound of this type serves. */
      readonly protocol?: string;
      /** Unix seconds: accounts that end then or later. */
      readonly expires_after?: number;
      /** Unix seconds: accounts that end then or earlier. */
      readonly expires_before?: number;
      /** Unix seconds at which it ends; 0: never. */
      readonly expiry?: "never";
      /** Accounts that wait for their first connection, or those that do not. */
      readonly pending?: boolean;
      /** Bytes: accounts that have used as much or more. */
      readonly used_min?: number;
      /** Bytes: accounts that have used as much or less. */
      readonly used_max?: number;
      /** Accounts whose counters are set to 0 from time to time, or the others. */
      readonly auto_reset?: boolean;
      /** Accounts whose subscription was taken, or the others. */
      readonly sub_fetched?: boolean;
      /** Accounts that share a credential with another, or those that do not. */
      readonly duplicate_credentials?: boolean;
      /** Accounts with this Telegram id. */
      readonly contact_telegram_id?: string;
      /** Accounts with this Bale id. */
      readonly contact_bale_id?: string;
      /** Accounts with this Eitaa id. */
      readonly contact_eitaa_id?: string;
      /** Accounts with this Rubika id. */
      readonly contact_rubika_id?: string;
      /** Accounts with this mail address. */
      readonly contact_email?: string;
      /** Accounts with this phone number. */
      readonly contact_phone?: string;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /** `true`: every account that the caller may write. */
      readonly all?: boolean;
      /** `true`: say what would happen and do nothing. `false` where it is left out. */
      readonly dryRun?: boolean;
      /** `true`: answered with the job at once. */
      readonly async?: boolean;
    };
    body?: BulkUsersBody;
  };
  /** Stop a job */
  cancelJob: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Change the own password; ends the account's other sessions */
  changeMyPassword: { body: ChangeMyPasswordBody };
  /** Close open sessions of a user; not a ban */
  closeUserConnections: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body?: CloseUserConnectionsBody;
  };
  /** Present the second factor again: sensitive routes are open to this session for ten minutes */
  confirmMySecondFactor: { body: ConfirmMySecondFactorBody };
  /** Create an operator */
  createAdmin: { body: CreateAdminBody };
  /** Make an archive and store it */
  createBackup: {
    query?: {
      /** `true`: with the series of traffic and the readings of nodes. */
      readonly history?: boolean;
      /** `true`: with the log of changes. */
      readonly audit?: boolean;
      /** `true`: answer 202 with the job that makes it. */
      readonly async?: boolean;
    };
  };
  /** What an archive would bring */
  createBackupPreview: object;
  /** Replace the database by an archive */
  createBackupRestore: {
    query?: {
      /**
       * `replace-database`: everything that is there now is replaced. In setup nothing is, and it may be
       * absent.
       */
      readonly confirm?: string;
      /**
       * Whether the settings by which this install is reached stay as they are, with the certificate
       * that they name. Absent: they do; in setup they do not.
       */
      readonly keep_web_settings?: boolean;
      /** Whether this install's licence stays as it is. Absent: it does. */
      readonly keep_license?: boolean;
    };
  };
  /** Add a domain front */
  createFront: { body: FrontCreate };
  /** Add an inbound */
  createInbound: { body: InboundCreate };
  /** Add a node */
  createNode: { body: NodeCreate };
  /** Add an identity provider */
  createOidcProvider: { body: OidcProviderCreate };
  /** Add an outbound */
  createOutbound: { body: OutboundCreate };
  /** Add a plan */
  createPlan: { body: PlanFields };
  /** Create a role */
  createRole: { body: RoleWrite };
  /** Finish first-run setup by an archive; the panel restarts itself */
  createSetupRestore: {
    query?: {
      /**
       * `replace-database`: everything that is there now is replaced. In setup nothing is, and it may be
       * absent.
       */
      readonly confirm?: string;
      /**
       * Whether the settings by which this install is reached stay as they are, with the certificate
       * that they name. Absent: they do; in setup they do not.
       */
      readonly keep_web_settings?: boolean;
      /** Whether this install's licence stays as it is. Absent: it does. */
      readonly keep_license?: boolean;
      /** The setup token, while setup is pending. */
      readonly t?: string;
      /** The setting of this name: the archive's is left. */
      readonly web_domain?: string;
      /** The setting of this name: the archive's is left. */
      readonly web_basepath?: string;
      /** The setting of this name: the archive's is left. */
      readonly web_listen_ip?: string;
      /** The setting of this name: the archive's is left. */
      readonly web_listen_port?: string;
      /** The setting of this name: the archive's is left. */
      readonly web_tls_mode?: string;
      /** The setting of this name: the archive's is left. */
      readonly web_cert_file?: string;
      /** The setting of this name: the archive's is left. */
      readonly web_key_file?: string;
    };
  };
  /** The page that subscribers see, as it would look */
  createSubPageTest: { body: SubPageTrial };
  /** Add a template */
  createTemplate: { body: TemplateCreate };
  /** Create an API token; its text is shown once */
  createToken: { body: CreateTokenBody };
  /** Create a user */
  createUser: { body: UserCreate };
  /** Create up to 1000 users */
  createUsers: { body: UserBatch };
  /** Add a webhook */
  createWebhook: { body: WebhookCreate };
  /** Delete an operator with its sessions, tokens and webhooks; its users go to the panel */
  deleteAdmin: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete a stored archive */
  deleteBackup: {
    path: {
      /** What people call it. */
      readonly name: string;
    };
  };
  /** Delete a domain front; it leaves its inbounds */
  deleteFront: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete an inbound; it leaves its templates, and the users and plans that name it */
  deleteInbound: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete a node and stop its engine */
  deleteNode: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete an identity provider with its links; sessions that came from it stay */
  deleteOidcProvider: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete an outbound */
  deleteOutbound: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete a plan; users that were made by it stay as they are */
  deletePlan: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete a role that no account holds */
  deleteRole: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete a template; it leaves users and plans */
  deleteTemplate: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete an API token; it stops authenticating at once */
  deleteToken: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete a user */
  deleteUser: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Forget a device of a user */
  deleteUserDevice: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
      /** What the device called itself. */
      readonly hwid: string;
    };
  };
  /** Forget all devices of a user */
  deleteUserDevices: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Delete a webhook and its deliveries */
  deleteWebhook: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Download a new archive of the panel's database */
  downloadBackup: {
    query?: {
      /** `true`: with the series of traffic and the readings of nodes. */
      readonly history?: boolean;
      /** `true`: with the log of changes. */
      readonly audit?: boolean;
    };
  };
  /** Download a stored archive */
  downloadStoredBackup: {
    path: {
      /** What people call it. */
      readonly name: string;
    };
  };
  /** Empty the audit log; the purge is itself recorded */
  emptyChanges: {
    query?: {
      /** Unix seconds: changes before then alone. Every one where it is left out. */
      readonly before?: number;
    };
  };
  /** End an operator's sessions; the caller's own one stays */
  endAdminSessions: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** End every session of the account but the current one */
  endMyOtherSessions: object;
  /** End one session; the current one: sign out */
  endMySession: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** The audit log as a file, newest first */
  exportChanges: {
    query?: {
      /** Changes by this actor alone. */
      readonly actor?: string;
      /** Changes in this collection alone. */
      readonly key?: string;
      /** Changes of the record with this id alone. */
      readonly entityId?: string;
      /** Changes of this action alone. */
      readonly action?:
        | "create"
        | "update"
        | "delete"
        | "enable"
        | "disable"
        | "login"
        | "logout"
        | "confirm"
        | "password"
        | "2fa.enrol"
        | "2fa.enable"
        | "2fa.disable"
        | "2fa.recovery"
        | "sessions.delete"
        | "dashboard"
        | "interface"
        | "owner"
        | "order"
        | "fronts"
        | "start"
        | "renew"
        | "extend"
        | "reset-usage"
        | "sub.rotate"
        | "device.delete"
        | "batch"
        | "connections.close"
        | "ping"
        | "resend"
        | "sync"
        | "reconnect"
        | "repin"
        | "move"
        | "event"
        | "resume"
        | "restart"
        | "refresh"
        | "cancel"
        | "undo"
        | "bulk.enable"
        | "bulk.disable"
        | "bulk.delete"
        | "bulk.reset-usage"
        | "bulk.extend"
        | "bulk.add-volume"
        | "bulk.edit"
        | "bulk.assign"
        | "bulk.rotate-sub"
        | "bulk.renew"
        | "bulk.restore"
        | "download"
        | "restore"
        | "forget"
        | "generate"
        | "import";
      /** Unix seconds: changes from then on. 0: all. */
      readonly from?: number;
      /** Unix seconds: changes up to then. */
      readonly to?: number;
      /** A table for spreadsheets, or a record a line. */
      readonly format?: "csv" | "ndjson";
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
    };
  };
  /** Users as a file */
  exportUsers: {
    query?: {
      /** Accounts in these states, between commas: active, disabled, pending, expired, limited. */
      readonly status?: string;
      /**
       * Accounts that are off for these reasons, between commas: manual, volume, expiry, resale-volume,
       * resale-expiry.
       */
      readonly reason?: string;
      /** Accounts with traffic in the last 90 seconds, or those without. */
      readonly online?: boolean;
      /** What people call it. */
      readonly name?: string;
      /** The name of the subscription in its address; made at random where it is left out or empty. */
      readonly subId?: string;
      /** What a shop calls the account, its own among all accounts; empty: none. */
      readonly externalId?: string;
      /** A label to find accounts by; empty: none. */
      readonly group?: string;
      /** Accounts of this operator alone; 0: the panel's own. */
      readonly admin_id?: number;
      /** Accounts that this template serves. */
      readonly template_id?: number;
      /** Accounts that this node serves. */
      readonly node_id?: number;
      /** Accounts that this inbound serves. */
      readonly inbound_id?: number;
      /** Accounts that an inbound of this type serves. */
      readonly protocol?: string;
      /** Unix seconds: accounts that end then or later. */
      readonly expires_after?: number;
      /** Unix seconds: accounts that end then or earlier. */
      readonly expires_before?: number;
      /** Unix seconds at which it ends; 0: never. */
      readonly expiry?: "never";
      /** Accounts that wait for their first connection, or those that do not. */
      readonly pending?: boolean;
      /** Bytes: accounts that have used as much or more. */
      readonly used_min?: number;
      /** Bytes: accounts that have used as much or less. */
      readonly used_max?: number;
      /** Accounts whose counters are set to 0 from time to time, or the others. */
      readonly auto_reset?: boolean;
      /** Accounts whose subscription was taken, or the others. */
      readonly sub_fetched?: boolean;
      /** Accounts that share a credential with another, or those that do not. */
      readonly duplicate_credentials?: boolean;
      /** Accounts with this Telegram id. */
      readonly contact_telegram_id?: string;
      /** Accounts with this Bale id. */
      readonly contact_bale_id?: string;
      /** Accounts with this Eitaa id. */
      readonly contact_eitaa_id?: string;
      /** Accounts with this Rubika id. */
      readonly contact_rubika_id?: string;
      /** Accounts with this mail address. */
      readonly contact_email?: string;
      /** Accounts with this phone number. */
      readonly contact_phone?: string;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /** The name of the format. */
      readonly format?: "csv" | "ndjson";
    };
  };
  /** Add volume or time to what a user has */
  extendUser: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: UserExtension;
  };
  /** The way back from identity providers that share one callback */
  finishProviderLogin: {
    query?: {
      /** The code that the provider gives. */
      readonly code?: string;
      /** Which sign-in this ends. */
      readonly state?: string;
      /** Why the provider refused; left out where it did not. */
      readonly error?: string;
      /** The provider's own name. */
      readonly iss?: string;
    };
  };
  /** The way back from one identity provider into the web interface */
  finishProviderLoginAt: {
    path: {
      /** The provider's id: the address is its own. */
      readonly id: number;
    };
    query?: {
      /** The code that the provider gives. */
      readonly code?: string;
      /** Which sign-in this ends. */
      readonly state?: string;
      /** Why the provider refused; left out where it did not. */
      readonly error?: string;
      /** The provider's own name. */
      readonly iss?: string;
    };
  };
  /** Finish first-run setup; the panel restarts itself */
  finishSetup: {
    query?: {
      /** The setup token, while setup is pending. */
      readonly t?: string;
    };
    body: FinishSetupBody;
  };
  /** Forget a deleted user for ever */
  forgetDeletedUser: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Make up to 1000 users from a name pattern */
  generateUsers: {
    query?: {
      /** `true`: answered with the job at once. */
      readonly async?: boolean;
    };
    body: UserGenerateBody;
  };
  /** One actor: its state, why it is in it, what wakes it next */
  getActor: {
    path: {
      /** The kind of actors. */
      readonly kind: string;
      /** The record's id. */
      readonly id: string;
    };
  };
  /** What an actor's errands did, line by line, oldest first */
  getActorLog: {
    path: {
      /** The kind of actors. */
      readonly kind: string;
      /** The record's id. Never given to another one. */
      readonly id: string;
    };
    query?: {
      /** The number of the last line that was read; 0 or left out: from the oldest that is kept. */
      readonly cursor?: number;
      /** Lines at most; 200 where it is left out. */
      readonly limit?: number;
    };
  };
  /** One operator */
  getAdmin: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** What each reseller's accounts moved in a range */
  getAdminReport: {
    query?: {
      /** The hours until now; ignored where `start` and `end` are given. 720 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
      /** The name of the format. */
      readonly format?: "json" | "csv" | "ndjson";
    };
  };
  /** What a stored archive says of itself */
  getBackupManifest: {
    path: {
      /** What people call it. */
      readonly name: string;
    };
  };
  /** The schedule of archives */
  getBackupSchedule: object;
  /** One record of the audit log */
  getChange: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Actors, entity types and actions that the log knows */
  getChangeFacets: object;
  /** Actors, entity types and actions that the log knows */
  getChangeFacetsAgain: object;
  /** What a fragment of configuration may hold, as JSON Schema */
  getConfigSchema: {
    query: {
      /** Where the fragment belongs. */
      readonly collection:
        | "inbounds"
        | "outbounds"
        | "endpoints"
        | "rulesets"
        | "route"
        | "core"
        | "clientConfig"
        | "clientTls";
      /** The type of its record; empty for `route`, `core`, `clientConfig` and `clientTls`. */
      readonly type?: string;
    };
  };
  /** One deleted user */
  getDeletedUser: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Description of the API (OpenAPI 3.1), JSON */
  getDescriptionAsJson: {
    query?: {
      /** Under which prefix the API is described; `api/v1` where it is left out. */
      readonly prefix?: "api" | "api/v1";
      /** The `operationId` of a change: then only its body is described, with the schemas that it names. */
      readonly operation?: string;
    };
  };
  /** Description of the API (OpenAPI 3.1), YAML */
  getDescriptionAsYaml: {
    query?: {
      /** Under which prefix the API is described; `api/v1` where it is left out. */
      readonly prefix?: "api" | "api/v1";
      /** The `operationId` of a change: then only its body is described, with the schemas that it names. */
      readonly operation?: string;
    };
  };
  /** Accounts that will reach their date, by day */
  getExpiries: {
    query?: {
      /** How many days ahead, 1 to 366; 30 where it is left out. */
      readonly days?: number;
    };
  };
  /** One domain front */
  getFront: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** What happened to accounts, by day */
  getGrowth: {
    query?: {
      /** The hours until now; ignored where `start` and `end` are given. 720 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
    };
  };
  /** One inbound */
  getInbound: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** One job */
  getJob: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Who is calling */
  getMe: object;
  /** What the person chose of the interface */
  getMyInterface: object;
  /** Whether two-factor is on */
  getMyTwoFactor: object;
  /** One node */
  getNode: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** A node's load, memory, disk and uptime over a range */
  getNodeHealth: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    query?: {
      /** The hours until now; ignored where `start` and `end` are given. 24 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
    };
  };
  /** What each node carried in a range */
  getNodeReport: {
    query?: {
      /** The hours until now; ignored where `start` and `end` are given. 720 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
      /** The name of the format. */
      readonly format?: "json" | "csv" | "ndjson";
    };
  };
  /** The traffic of several nodes, for the lines in a list */
  getNodeSparklines: {
    query: {
      /** Ids separated by commas, at most 200. */
      readonly ids: string;
      /** The hours until now; ignored where `start` and `end` are given. 24 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
    };
  };
  /** What a node carried of each account, the heaviest first */
  getNodeStats: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    query?: {
      /** The hours until now; ignored where `start` and `end` are given. 24 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
      /** Rows at most; 100 where it is left out, 1000 where it is more. `more` says whether it cut. */
      readonly limit?: number;
    };
  };
  /** One identity provider, without its secret */
  getOidcProvider: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** One outbound */
  getOutbound: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** The panel, its machine and its actors at a glance */
  getPanelInfo: object;
  /** What an agent must trust as the panel */
  getPanelTrust: object;
  /** One plan */
  getPlan: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** One role */
  getRole: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Whether first-run setup is pending */
  getSetup: {
    query?: {
      /** The setup token, while setup is pending. */
      readonly t?: string;
      /** An address at which the panel asks for itself. */
      readonly try?: string;
    };
  };
  /** One template with what it carries */
  getTemplate: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** One API token, without its text */
  getToken: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Traffic over time, by what moved it */
  getTraffic: {
    query?: {
      /** What the traffic is told apart by; `total`: not at all. */
      readonly by?: "total" | "node" | "user" | "admin" | "inbound";
      /** The hours until now; ignored where `start` and `end` are given. 24 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
      /** Hours or days; where it is left out, hours for ranges of up to three days. */
      readonly step?: "hour" | "day";
      /**
       * How many series of their own, 1 to 100; 10 where it is left out. The others are added up in
       * `rest`.
       */
      readonly top?: number;
      /** Traffic on this node alone. */
      readonly nodeId?: number;
      /** Traffic of this account alone, whoever had it. */
      readonly userId?: number;
      /** Traffic of this owner's accounts alone, counted while they were its own. */
      readonly adminId?: number;
    };
  };
  /** One user */
  getUser: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** What an account used on each node, the heaviest first */
  getUserNodeUsage: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    query?: {
      /** The hours until now; ignored where `start` and `end` are given. 24 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
      /** Rows at most; 100 where it is left out, 1000 where it is more. `more` says whether it cut. */
      readonly limit?: number;
    };
  };
  /** What each account moved in a range */
  getUserReport: {
    query?: {
      /** The hours until now; ignored where `start` and `end` are given. 720 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
      /** The name of the format. */
      readonly format?: "json" | "csv" | "ndjson";
    };
  };
  /** The traffic of several accounts, for the lines in a list */
  getUserSparklines: {
    query: {
      /** Ids separated by commas, at most 200. */
      readonly ids: string;
      /** The hours until now; ignored where `start` and `end` are given. 24 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
    };
  };
  /** An account's traffic over time, by node */
  getUserTraffic: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    query?: {
      /** The hours until now; ignored where `start` and `end` are given. 24 where nothing is given. */
      readonly hours?: number;
      /** Unix seconds at which the range begins; together with `end`. */
      readonly start?: number;
      /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
      readonly end?: number;
      /** Hours or days; where it is left out, hours for ranges of up to three days. */
      readonly step?: "hour" | "day";
      /**
       * How many series of their own, 1 to 100; 10 where it is left out. The others are added up in
       * `rest`.
       */
      readonly top?: number;
    };
  };
  /** Why a user cannot connect */
  getUserVerdict: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** One webhook, without its secret */
  getWebhook: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** One delivery, with what was sent last and what came back */
  getWebhookDelivery: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
      /** The delivery's id. */
      readonly delivery: number;
    };
  };
  /** Make users from a file */
  importUsers: {
    query?: {
      /**
       * What the body is; `csv` has a head line. Absent: `csv` where the content type is `text/csv`,
       * else `ndjson`.
       */
      readonly format?: "csv" | "ndjson";
      /**
       * Of CSV: what an empty cell in `volume`, `expiry`, `deviceLimit` and `ipLimit` is. `refuse`: a
       * problem, unless the column's head says `unlimited` (`volume=unlimited`), or a plan or `duration`
       * of the row says the limit. `unlimited`: the row says nothing of it, and a new user is unlimited.
       */
      readonly empty?: "refuse" | "unlimited";
      /** Counts what it would do, lists every problem, and changes nothing. */
      readonly dryRun?: boolean;
      /** What happens to a line whose name an account has. */
      readonly onConflict?: "skip" | "update" | "fail";
      /** `true`: answered with the job at once. */
      readonly async?: boolean;
    };
  };
  /** Lift a ban: the address may sign in at once */
  liftBan: {
    path: {
      /** The address, or what the list shows. */
      readonly ip: string;
    };
  };
  /** Begin to link an identity to this account */
  linkMyIdentity: { body: LinkMyIdentityBody };
  /** Every transition of an actor, newest first */
  listActorJournal: {
    path: {
      /** The kind of actors. */
      readonly kind: string;
      /** The record's id. Never given to another one. */
      readonly id: string;
    };
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** Unix seconds: entries from then on. 0: all. */
      readonly since?: number;
      /** Unix seconds: entries up to then. */
      readonly until?: number;
      /** Entries of this event alone. */
      readonly event?: string;
      /** Entries that came into this state, or with `.*` into any within it. */
      readonly entered?: string;
    };
  };
  /** Actors, of one kind or of all */
  listActors: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "since" | "name" | "id" | "wakeAt";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
      /** Actors of this kind alone. */
      readonly kind?: string;
      /** Actors in this state, or with `.*` in any within it. */
      readonly state?: string;
      /** `true`: actors in quarantine; `false`: the others. */
      readonly fault?: boolean;
    };
  };
  /** Operators */
  listAdmins: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id" | "username" | "volume" | "next_reset" | "expiry" | "created_at" | "updated_at";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
      /** The tier that the role narrows. */
      readonly base?: "sudo" | "admin" | "resale";
      /** The state that it is in. */
      readonly state?: string;
    };
  };
  /** Stored archives */
  listBackups: object;
  /** Addresses that may not sign in for now, the latest first */
  listBans: object;
  /** Audit log, newest first */
  listChanges: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** Changes by this actor alone. */
      readonly actor?: string;
      /** Changes in this collection alone. */
      readonly key?: string;
      /** Changes of the record with this id alone; ids of collections are apart, so name `key` too. */
      readonly entityId?: string;
      /** Changes of this action alone. */
      readonly action?:
        | "create"
        | "update"
        | "delete"
        | "enable"
        | "disable"
        | "login"
        | "logout"
        | "confirm"
        | "password"
        | "2fa.enrol"
        | "2fa.enable"
        | "2fa.disable"
        | "2fa.recovery"
        | "sessions.delete"
        | "dashboard"
        | "interface"
        | "owner"
        | "order"
        | "fronts"
        | "start"
        | "renew"
        | "extend"
        | "reset-usage"
        | "sub.rotate"
        | "device.delete"
        | "batch"
        | "connections.close"
        | "ping"
        | "resend"
        | "sync"
        | "reconnect"
        | "repin"
        | "move"
        | "event"
        | "resume"
        | "restart"
        | "refresh"
        | "cancel"
        | "undo"
        | "bulk.enable"
        | "bulk.disable"
        | "bulk.delete"
        | "bulk.reset-usage"
        | "bulk.extend"
        | "bulk.add-volume"
        | "bulk.edit"
        | "bulk.assign"
        | "bulk.rotate-sub"
        | "bulk.renew"
        | "bulk.restore"
        | "download"
        | "restore"
        | "forget"
        | "generate"
        | "import";
      /** Unix seconds: changes from then on. 0: all. */
      readonly from?: number;
      /** Unix seconds: changes up to then. */
      readonly to?: number;
    };
  };
  /** Deleted users that can come back */
  listDeletedUsers: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id" | "name" | "deleted_at" | "expiry";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
      /** Of this owner alone; 0: the panel's. */
      readonly admin_id?: number;
      /** With this label alone. */
      readonly group?: string;
    };
  };
  /** Every event that can be raised */
  listEventTypes: object;
  /** What was raised, newest first, as far as the caller's scopes go */
  listEvents: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /** Events of this name alone. */
      readonly event?: string;
      /** Events about one record alone: `user:7`. */
      readonly entity?: string;
      /** Where to go on, from an earlier answer; empty: at the oldest event that is kept. */
      readonly cursor?: string;
      /** Seconds that an empty answer is held until something comes; 0 or left out: none. */
      readonly wait?: number;
    };
  };
  /** Domain fronts */
  listFronts: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id" | "name" | "domain";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
      /** Only fronts of this inbound. */
      readonly inbound_id?: number;
      /** Only fronts that are switched on, or off. */
      readonly enabled?: boolean;
    };
  };
  /** The domain fronts of an inbound, in their order */
  listInboundFronts: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Inbounds */
  listInbounds: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id" | "tag" | "type";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
      /** Only inbounds of this protocol. */
      readonly type?: string;
      /** Only inbounds that this template carries. */
      readonly template_id?: number;
    };
  };
  /** The lines that an import skipped or refused */
  listJobLines: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    query?: {
      /** `csv` and `ndjson` are files of all lines. */
      readonly format?: "json" | "csv" | "ndjson";
      /** Lines of this outcome alone. */
      readonly outcome?: "skipped" | "refused";
      /** How many lines `json` has at most. */
      readonly limit?: number;
    };
  };
  /** The users that a job made from a pattern */
  listJobUsers: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Long work, running and done */
  listJobs: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
      /** Jobs in these states. */
      readonly state?: string;
      /** Jobs of this work alone. */
      readonly kind?: string;
    };
  };
  /** The identity providers that can be signed in through */
  listLoginProviders: object;
  /** The charts */
  listMachines: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
    };
  };
  /** The identities that sign in as this account */
  listMyIdentities: object;
  /** The account's logins, most recently active first */
  listMySessions: object;
  /** Usage of a node that was not counted, newest first */
  listNodeUsageRefusals: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** Refusals for this reason alone. */
      readonly code?: "not_served" | "unknown_inbound" | "too_fast";
    };
  };
  /** Nodes */
  listNodes: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id" | "name" | "created_at" | "updated_at" | "trouble_since";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
      /** Nodes that stand like this alone. */
      readonly status?: "connecting" | "connected" | "error" | "disabled";
      /** `true`: nodes that should serve and do not; `false`: the others. */
      readonly troubled?: boolean;
    };
  };
  /** Identity providers */
  listOidcProviders: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id" | "name" | "sort_order" | "created_at" | "updated_at";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
    };
  };
  /** Outbounds */
  listOutbounds: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id" | "tag" | "type";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
      /** Only outbounds of this type. */
      readonly type?: string;
      /** Only outbounds that this template carries. */
      readonly template_id?: number;
    };
  };
  /** Plans in their order */
  listPlans: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
    };
  };
  /** Roles */
  listRoles: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id" | "name";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
    };
  };
  /** Scopes, and the scopes of each route */
  listScopes: object;
  /** Settings, every key with its value */
  listSettings: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
    };
  };
  /** Templates with what they carry */
  listTemplates: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id" | "name";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
      /** Only templates that carry this inbound. */
      readonly inbound_id?: number;
      /** Only templates that carry this outbound. */
      readonly outbound_id?: number;
    };
  };
  /** API tokens */
  listTokens: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
    };
  };
  /** Users whose counters moved since a cursor */
  listUsageMoves: {
    query?: {
      /** The cursor of the answer before; every counter where it is left out or 0. */
      readonly since?: number;
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
    };
  };
  /** Live source addresses of a user */
  listUserAddresses: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Configurations of a user for programs of one protocol */
  listUserAppConfigs: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Open sessions of a user by node and inbound */
  listUserConnections: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Open sessions of a user on one node */
  listUserConnectionsOnNode: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
      /** The node's id. */
      readonly nodeId: number;
    };
    query?: {
      /** The tag of the inbound. */
      readonly inbound?: string;
      /** The tag of the outbound. */
      readonly outbound?: string;
    };
  };
  /** Devices that fetched a user's subscription */
  listUserDevices: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Formats of a user's subscription, with how many of its servers each carries */
  listUserFormats: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** The last 50 requests for a user's subscription */
  listUserSubRequests: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Users */
  listUsers: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?:
        | "id"
        | "name"
        | "usage"
        | "remaining"
        | "expiry"
        | "online_at"
        | "sub_fetched_at"
        | "sub_seen_at"
        | "created_at"
        | "updated_at";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
      /** Accounts in these states, between commas: active, disabled, pending, expired, limited. */
      readonly status?: string;
      /**
       * Accounts that are off for these reasons, between commas: manual, volume, expiry, resale-volume,
       * resale-expiry.
       */
      readonly reason?: string;
      /** Accounts with traffic in the last 90 seconds, or those without. */
      readonly online?: boolean;
      /** The account of this name, letter by letter. */
      readonly name?: string;
      /** The account of this subscription. */
      readonly subId?: string;
      /** The account that the shop calls so. */
      readonly externalId?: string;
      /** Accounts with this label alone. */
      readonly group?: string;
      /** Accounts of this operator alone; 0: the panel's own. */
      readonly admin_id?: number;
      /** Accounts that this template serves. */
      readonly template_id?: number;
      /** Accounts that this node serves. */
      readonly node_id?: number;
      /** Accounts that this inbound serves. */
      readonly inbound_id?: number;
      /** Accounts that an inbound of this type serves. */
      readonly protocol?: string;
      /** Unix seconds: accounts that end then or later. */
      readonly expires_after?: number;
      /** Unix seconds: accounts that end then or earlier. */
      readonly expires_before?: number;
      /** `never`: accounts without an end. */
      readonly expiry?: "never";
      /** Accounts that wait for their first connection, or those that do not. */
      readonly pending?: boolean;
      /** Bytes: accounts that have used as much or more. */
      readonly used_min?: number;
      /** Bytes: accounts that have used as much or less. */
      readonly used_max?: number;
      /** Accounts whose counters are set to 0 from time to time, or the others. */
      readonly auto_reset?: boolean;
      /** Accounts whose subscription was taken, or the others. */
      readonly sub_fetched?: boolean;
      /** Accounts that share a credential with another, or those that do not. */
      readonly duplicate_credentials?: boolean;
      /** Accounts with this Telegram id. */
      readonly contact_telegram_id?: string;
      /** Accounts with this Bale id. */
      readonly contact_bale_id?: string;
      /** Accounts with this Eitaa id. */
      readonly contact_eitaa_id?: string;
      /** Accounts with this Rubika id. */
      readonly contact_rubika_id?: string;
      /** Accounts with this mail address. */
      readonly contact_email?: string;
      /** Accounts with this phone number. */
      readonly contact_phone?: string;
    };
  };
  /** Deliveries of a webhook, newest first */
  listWebhookDeliveries: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** Deliveries in this state alone. */
      readonly state?: "pending" | "delivered" | "dead";
    };
  };
  /** Webhooks */
  listWebhooks: {
    query?: {
      /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
      readonly limit?: number;
      /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
      readonly offset?: number;
      /** A part of the texts of a row, in any case. Empty finds every row. */
      readonly q?: string;
      /** Unix seconds: rows that have changed since, that second included. 0: all. */
      readonly updated_since?: number;
      /**
       * Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the
       * first page.
       */
      readonly cursor?: string;
      /** What the rows are sorted by; by the list's own order where it is left out. */
      readonly sort?: "id" | "name";
      /** `asc` (where it is left out) or `desc`. */
      readonly order?: "asc" | "desc";
    };
  };
  /** Sign in; with two-factor on the answer is a pending token for /login/mfa */
  logIn: { body: LogInBody };
  /** End a sign-in with a code of the second factor, or a recovery code */
  logInWithCode: { body: LogInWithCodeBody };
  /** End the current session */
  logOut: object;
  /** Hand the panel to another main admin */
  makeAdminOwner: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** A random password */
  makePassword: object;
  /** A REALITY key pair and short id */
  makeRealityKeyPair: object;
  /** A server key for a Shadowsocks method */
  makeShadowsocksKey: { body: MakeShadowsocksKeyBody };
  /** A random UUID */
  makeUuid: object;
  /** A WireGuard key pair */
  makeWireguardKeyPair: object;
  /** Re-point a node at another machine */
  moveNode: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: NodeMove;
  };
  /** Put plans into an order */
  orderPlans: { body: PlanOrder };
  /** Send a test event to a webhook, whatever its filter */
  pingWebhook: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** What an actor's chart would do with an event */
  previewActorEvent: {
    path: {
      /** The kind of actors. */
      readonly kind: string;
      /** The record's id. Never given to another one. */
      readonly id: string;
    };
    query: {
      /** The type of the event. */
      readonly type: string;
    };
  };
  /** What a stored archive would bring */
  previewBackup: {
    path: {
      /** What people call it. */
      readonly name: string;
    };
  };
  /** What a client would get of a user's subscription */
  previewUserSubscription: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    query?: {
      /** The name of the format. */
      readonly format?: string;
      /** What the browser calls itself. */
      readonly userAgent?: string;
      /** What the device called itself. */
      readonly hwid?: string;
    };
  };
  /** Give up the connection for a new one */
  reconnectNode: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Download and store the key of Happ's encrypted import links */
  refreshHappKey: object;
  /** Download and store the key of INCY's encrypted import links */
  refreshIncyKey: object;
  /** Try out a stored archive */
  rehearseBackup: {
    path: {
      /** What people call it. */
      readonly name: string;
    };
  };
  /** Ten new recovery codes in place of the old ones */
  renewMyRecoveryCodes: { body: RenewMyRecoveryCodesBody };
  /** Give a user a new term */
  renewUser: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body?: RenewUserBody;
  };
  /** Trust the key that answers now */
  repinNode: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Edit an operator; a role change ends its sessions */
  replaceAdmin: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: ReplaceAdminBody;
  };
  /** Change a domain front */
  replaceFront: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: FrontUpdate;
  };
  /** Change an inbound */
  replaceInbound: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: InboundUpdate;
  };
  /** Change a node */
  replaceNode: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: NodeUpdate;
  };
  /** Change an identity provider */
  replaceOidcProvider: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: OidcProviderUpdate;
  };
  /** Change an outbound */
  replaceOutbound: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: OutboundUpdate;
  };
  /** Replace a plan; users that were made by it stay as they are */
  replacePlan: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: PlanReplace;
  };
  /** Edit a role; ends every session on it */
  replaceRole: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: RoleUpdate;
  };
  /** Change a template */
  replaceTemplate: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: TemplateUpdate;
  };
  /** Replace a user's fields */
  replaceUser: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: UserReplace;
  };
  /** Change a webhook */
  replaceWebhook: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: WebhookUpdate;
  };
  /** Send many deliveries again, each under the same id */
  resendWebhookDeliveries: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: WebhookResend;
  };
  /** Send a delivery again, under the same id */
  resendWebhookDelivery: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
      /** The delivery's id. */
      readonly delivery: number;
    };
  };
  /** Set a user's counters to zero; totals stay */
  resetUserUsage: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Restart the panel */
  restartPanel: object;
  /** Replace the database by a stored archive */
  restoreBackup: {
    path: {
      /** What people call it. */
      readonly name: string;
    };
    query?: {
      /**
       * `replace-database`: everything that is there now is replaced. In setup nothing is, and it may be
       * absent.
       */
      readonly confirm?: string;
      /**
       * Whether the settings by which this install is reached stay as they are, with the certificate
       * that they name. Absent: they do; in setup they do not.
       */
      readonly keep_web_settings?: boolean;
      /** Whether this install's licence stays as it is. Absent: it does. */
      readonly keep_license?: boolean;
    };
  };
  /** Bring a deleted user back */
  restoreUser: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body?: RestoreUserBody;
  };
  /** Bring back many deleted users */
  restoreUsers: {
    query?: {
      /** `true`: answered with the job at once. */
      readonly async?: boolean;
    };
    body: UserRestorations;
  };
  /** Lift an actor's quarantine */
  resumeActor: {
    path: {
      /** The kind of actors. */
      readonly kind: string;
      /** The record's id. Never given to another one. */
      readonly id: string;
    };
  };
  /** Give a user a new subscription link */
  rotateUserLink: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body?: RotateUserLinkBody;
  };
  /** Give an actor an event by hand, or with dryRun=true see what its chart would do */
  sendActorEvent: {
    path: {
      /** The kind of actors. */
      readonly kind: string;
      /** The record's id. Never given to another one. */
      readonly id: string;
    };
    query?: {
      /** `true`: say what would happen and do nothing. `false` where it is left out. */
      readonly dryRun?: boolean;
    };
    body: ActorEvent;
  };
  /** Reset an operator's password; ends its sessions */
  setAdminPassword: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: SetAdminPasswordBody;
  };
  /** Change the schedule of archives */
  setBackupSchedule: { body: BackupScheduleUpdate };
  /** Choose the domain fronts of an inbound */
  setInboundFronts: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: SetInboundFrontsBody;
  };
  /** Choose the dashboard's tiles */
  setMyDashboardTiles: { body: SetMyDashboardTilesBody };
  /** Keep what the person chose of the interface */
  setMyInterface: { body: SetMyInterfaceBody };
  /** Switch a node on or off */
  setNodeEnabled: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: SetNodeEnabledBody;
  };
  /** Override the template's route */
  setNodeRouting: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: SetNodeRoutingBody;
  };
  /** Give a node another template */
  setNodeTemplate: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: SetNodeTemplateBody;
  };
  /** Write a setting */
  setSetting: {
    path: {
      /** The setting's key. */
      readonly key: string;
    };
    body: SetSettingBody;
  };
  /** Users counted by status and group */
  summarizeUsers: {
    query?: {
      /** Counts those that are off by their reason too. */
      readonly by?: "reason";
    };
  };
  /** Switch two-factor off with a code or a recovery code */
  switchMyTwoFactorOff: { body: SwitchMyTwoFactorOffBody };
  /** Switch two-factor on with a code of the new secret; the recovery codes are shown this once */
  switchMyTwoFactorOn: { body: SwitchMyTwoFactorOnBody };
  /** Compare and push now */
  syncNode: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Whether an identity provider could serve a sign-in now */
  testOidcProvider: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Which format a client gets */
  testSubRules: { body: SubRuleTrial };
  /** Take a job back */
  undoJob: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Unlink an identity; sessions that came from it stay */
  unlinkMyIdentity: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
  };
  /** Change exactly the fields sent */
  updateUser: {
    path: {
      /** The record's id. Never given to another one. */
      readonly id: number;
    };
    body: UserPatch;
  };
}

/** What each operation answers. */
export interface Answers {
  beginMyTwoFactor: BeginMyTwoFactorAnswer;
  beginProviderLogin: OidcStarted;
  bulkUsers: UserBulkResult;
  cancelJob: Job;
  changeMyPassword: Ok;
  closeUserConnections: ConnectionsClosed;
  confirmMySecondFactor: ConfirmMySecondFactorAnswer;
  createAdmin: Admin;
  createBackup: BackupFile;
  createBackupPreview: BackupPreview;
  createBackupRestore: BackupRestore;
  createFront: Front;
  createInbound: Inbound;
  createNode: Node;
  createOidcProvider: OidcProvider;
  createOutbound: Outbound;
  createPlan: Plan;
  createRole: Role;
  createSetupRestore: BackupRestore;
  createSubPageTest: SubPageTrialResult;
  createTemplate: Template;
  createToken: ApiTokenCreated;
  createUser: User;
  createUsers: UserBatchResult;
  createWebhook: Webhook;
  deleteAdmin: Ok;
  deleteBackup: Ok;
  deleteFront: Ok;
  deleteInbound: Ok;
  deleteNode: DeleteNodeAnswer;
  deleteOidcProvider: Ok;
  deleteOutbound: Ok;
  deletePlan: Ok;
  deleteRole: Ok;
  deleteTemplate: Ok;
  deleteToken: Ok;
  deleteUser: Ok;
  deleteUserDevice: Ok;
  deleteUserDevices: ForgottenDevices;
  deleteWebhook: Ok;
  downloadBackup: string;
  downloadStoredBackup: string;
  emptyChanges: EmptyChangesAnswer;
  endAdminSessions: Ok;
  endMyOtherSessions: Ok;
  endMySession: Ok;
  exportChanges: string;
  exportUsers: string;
  extendUser: User;
  finishProviderLogin: undefined;
  finishProviderLoginAt: undefined;
  finishSetup: SetupDone;
  forgetDeletedUser: Ok;
  generateUsers: UserGenerateResult;
  getActor: ActorDetail;
  getActorLog: ErrandLog;
  getAdmin: Admin;
  getAdminReport: AdminReport;
  getBackupManifest: GetBackupManifestAnswer;
  getBackupSchedule: BackupSchedule;
  getChange: Change;
  getChangeFacets: ChangeFacets;
  getChangeFacetsAgain: ChangeFacets;
  getConfigSchema: ConfigSchema;
  getDeletedUser: DeletedUserRecord;
  getDescriptionAsJson: Description;
  getDescriptionAsYaml: string;
  getExpiries: Expiries;
  getFront: FrontRecord;
  getGrowth: Growth;
  getInbound: InboundRecord;
  getJob: Job;
  getMe: Me;
  getMyInterface: MyInterface;
  getMyTwoFactor: GetMyTwoFactorAnswer;
  getNode: Node;
  getNodeHealth: NodeHealth;
  getNodeReport: NodeReport;
  getNodeSparklines: Sparklines;
  getNodeStats: NodeStats;
  getOidcProvider: OidcProvider;
  getOutbound: OutboundRecord;
  getPanelInfo: PanelInfo;
  getPanelTrust: PanelTrust;
  getPlan: Plan;
  getRole: Role;
  getSetup: SetupState;
  getTemplate: TemplateRecord;
  getToken: ApiToken;
  getTraffic: Traffic;
  getUser: UserRecord;
  getUserNodeUsage: UserNodeUsage;
  getUserReport: UserReport;
  getUserSparklines: Sparklines;
  getUserTraffic: Traffic;
  getUserVerdict: UserVerdict;
  getWebhook: Webhook;
  getWebhookDelivery: WebhookDeliveryDetail;
  importUsers: ImportUsersAnswer;
  liftBan: Ok;
  linkMyIdentity: OidcStarted;
  listActorJournal: JournalEntryPage;
  listActors: ActorPage;
  listAdmins: AdminPage;
  listBackups: BackupList;
  listBans: ListBansAnswer;
  listChanges: ChangePage;
  listDeletedUsers: DeletedUserPage;
  listEventTypes: EventCatalogue;
  listEvents: ListEventsAnswer;
  listFronts: FrontPage;
  listInboundFronts: ListInboundFrontsAnswer;
  listInbounds: InboundPage;
  listJobLines: UserImportLines;
  listJobUsers: ListJobUsersAnswer;
  listJobs: JobPage;
  listLoginProviders: ListLoginProvidersAnswer;
  listMachines: MachinePage;
  listMyIdentities: ListMyIdentitiesAnswer;
  listMySessions: ListMySessionsAnswer;
  listNodeUsageRefusals: UsageRefusalPage;
  listNodes: NodePage;
  listOidcProviders: OidcProviderPage;
  listOutbounds: OutboundPage;
  listPlans: PlanPage;
  listRoles: RolePage;
  listScopes: Scopes;
  listSettings: SettingPage;
  listTemplates: TemplatePage;
  listTokens: ApiTokenPage;
  listUsageMoves: UsageMoves;
  listUserAddresses: ListUserAddressesAnswer;
  listUserAppConfigs: ListUserAppConfigsAnswer;
  listUserConnections: ListUserConnectionsAnswer;
  listUserConnectionsOnNode: NodeConnections;
  listUserDevices: ListUserDevicesAnswer;
  listUserFormats: UserSubFormats;
  listUserSubRequests: ListUserSubRequestsAnswer;
  listUsers: UserPage;
  listWebhookDeliveries: WebhookDeliveryPage;
  listWebhooks: WebhookPage;
  logIn: LogInAnswer;
  logInWithCode: Me;
  logOut: Ok;
  makeAdminOwner: Admin;
  makePassword: MakePasswordAnswer;
  makeRealityKeyPair: MakeRealityKeyPairAnswer;
  makeShadowsocksKey: MakeShadowsocksKeyAnswer;
  makeUuid: MakeUuidAnswer;
  makeWireguardKeyPair: MakeWireguardKeyPairAnswer;
  moveNode: Node;
  orderPlans: Ok;
  pingWebhook: Ok;
  previewActorEvent: ActorPreview;
  previewBackup: BackupPreview;
  previewUserSubscription: SubPreview;
  reconnectNode: Node;
  refreshHappKey: ClientAppKey;
  refreshIncyKey: ClientAppKey;
  rehearseBackup: BackupRehearsal;
  renewMyRecoveryCodes: RenewMyRecoveryCodesAnswer;
  renewUser: User;
  repinNode: NodeRepinned;
  replaceAdmin: Admin;
  replaceFront: Front;
  replaceInbound: Inbound;
  replaceNode: Node;
  replaceOidcProvider: OidcProvider;
  replaceOutbound: Outbound;
  replacePlan: Plan;
  replaceRole: Role;
  replaceTemplate: Template;
  replaceUser: User;
  replaceWebhook: Webhook;
  resendWebhookDeliveries: ResendWebhookDeliveriesAnswer;
  resendWebhookDelivery: Ok;
  resetUserUsage: User;
  restartPanel: Ok;
  restoreBackup: BackupRestore;
  restoreUser: User;
  restoreUsers: UserRestorationResult;
  resumeActor: Actor;
  rotateUserLink: User;
  sendActorEvent: SendActorEventAnswer;
  setAdminPassword: Ok;
  setBackupSchedule: BackupSchedule;
  setInboundFronts: SetInboundFrontsAnswer;
  setMyDashboardTiles: SetMyDashboardTilesAnswer;
  setMyInterface: MyInterface;
  setNodeEnabled: Node;
  setNodeRouting: Node;
  setNodeTemplate: Node;
  setSetting: Setting;
  summarizeUsers: UserSummary;
  switchMyTwoFactorOff: Ok;
  switchMyTwoFactorOn: SwitchMyTwoFactorOnAnswer;
  syncNode: NodeSync;
  testOidcProvider: OidcProviderTest;
  testSubRules: SubRuleTrialResult;
  undoJob: JobStarted;
  unlinkMyIdentity: Ok;
  updateUser: User;
}

/** Any event, with what belongs to it: `event` tells which. Later panels may send others. */
export type PanelEvent =
  | AdminLoginEvent
  | AdminLoginFailedEvent
  | AdminLoginNewIpEvent
  | Admin2faChangedEvent
  | AdminOwnerChangedEvent
  | AdminResaleCapReachedEvent
  | PanelStartedEvent
  | PanelStoppingEvent
  | PanelCrashedEvent
  | PanelSetupCompletedEvent
  | PanelSettingsChangedEvent
  | PanelRestoreAppliedEvent
  | PanelCertRenewedEvent
  | PanelCertRenewFailedEvent
  | PanelCertExpiringEvent
  | PanelRulesetRefreshFailedEvent
  | PanelUpdateAvailableEvent
  | PanelLicenseChangedEvent
  | PanelLicenseExpiringEvent
  | PanelLicenseUnverifiedEvent
  | PanelIpBannedEvent
  | PanelAddonRegisteredEvent
  | PanelAddonRemovedEvent
  | PanelAddonUnhealthyEvent
  | PanelAddonRecoveredEvent
  | PanelAddonUpdateWaitingEvent
  | UserCreatedEvent
  | UserUpdatedEvent
  | UserDeletedEvent
  | UserRestoredEvent
  | UserEnabledEvent
  | UserDisabledEvent
  | UserSuspendedEvent
  | UserResumedEvent
  | UserQuotaReachedEvent
  | UserExpiredEvent
  | UserQuotaWarningEvent
  | UserExpiringEvent
  | UserRenewedEvent
  | UserActivatedEvent
  | UserFirstFetchEvent
  | UserDeviceLimitReachedEvent
  | UserBulkEvent
  | UserGeneratedEvent
  | NodeConnectedEvent
  | NodeDisconnectedEvent
  | NodeLimitReachedEvent
  | NodeUsageRefusedEvent
  | NodeDiskHighEvent
  | NodeDiskRecoveredEvent
  | NodeMemoryHighEvent
  | NodeMemoryRecoveredEvent
  | NodeRejectionsHighEvent
  | PanelPingEvent
  | PanelBackupDoneEvent
  | PanelBackupFailedEvent
  | PanelBackupUploadFailedEvent;

export type Actor = {
  /** The kind of actors. */
  readonly kind: string;
  /** The record's id, as text. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** The state that it is in. */
  readonly state: string;
  /** Unix seconds since which it is so. */
  readonly since: number;
  /** The version of the chart that wrote the state. */
  readonly version: number;
  /** Transitions so far. */
  readonly rev: number;
  /** Unix seconds at which it moves by itself; null: it does not. */
  readonly wakeAt: number | null;
  /** Effects that it runs. */
  readonly running: readonly string[];
  /** Attempts in vain. */
  readonly attempts: number;
  /** Since when it is in trouble; null while it is not. */
  readonly trouble: {
    /** Unix seconds since which it is so. */
    readonly since: number;
    /** How often it has failed since. */
    readonly failures: number;
  } | null;
  /** Whether it is in quarantine. */
  readonly fault: boolean;
  /** What went wrong last, for people; empty while nothing is wrong. */
  readonly error: string;
  /** What went wrong, for programs; null where it has no code. */
  readonly cause: {
    /** What went wrong. */
    readonly code: string;
    /** Values that belong to the code. */
    readonly values: readonly (string | number)[];
  } | null;
};

export type ActorDetail = {
  /** The kind of actors. */
  readonly kind: string;
  /** The record's id, as text. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** The state that it is in. */
  readonly state: string;
  /** Unix seconds since which it is so. */
  readonly since: number;
  /** The version of the chart that wrote the state. */
  readonly version: number;
  /** Transitions so far. */
  readonly rev: number;
  /** Unix seconds at which it moves by itself; null: it does not. */
  readonly wakeAt: number | null;
  /** Effects that it runs. */
  readonly running: readonly string[];
  /** Attempts in vain. */
  readonly attempts: number;
  /** Since when it is in trouble; null while it is not. */
  readonly trouble: {
    /** Unix seconds since which it is so. */
    readonly since: number;
    /** How often it has failed since. */
    readonly failures: number;
  } | null;
  /** What the state means, in a sentence. */
  readonly meaning: string;
  /** What it remembers. */
  readonly context: { readonly [name: string]: unknown };
  /** Figures of now that the chart looks at. */
  readonly measured: { readonly [name: string]: number };
  /** Events that would move it. */
  readonly next: readonly string[];
  /** What brought it to where it is; null: it never moved. */
  readonly why: {
    /** The event. */
    readonly event: string;
    /** Unix seconds. */
    readonly at: number;
    /** Unix milliseconds. */
    readonly atMs: number;
    /** Who or what caused it. */
    readonly actor: string;
    /** The same in a sentence. */
    readonly text: string;
  } | null;
  /** The transition that brought it into its state; null where it is too many steps ago. */
  readonly entered: {
    /** The number of the transition, from 1. */
    readonly seq: number;
    /** The event. */
    readonly event: string;
    /** Unix seconds. */
    readonly at: number;
    /** Unix milliseconds. */
    readonly atMs: number;
    /** Who or what caused it. */
    readonly actor: string;
    /** The state before; null: it was new. */
    readonly from: string | null;
  } | null;
  /** What it waits for. */
  readonly timers: readonly {
    /** What the timer is called. */
    readonly name: string;
    /** The event. */
    readonly event: string;
    /** Unix seconds at which it rings. */
    readonly dueAt: number;
  }[];
  /** What it has begun. */
  readonly effects: readonly {
    /** Names the effect. */
    readonly id: string;
    /** What it does. */
    readonly src: string;
    /** Which attempt it is at, from 1. */
    readonly attempt: number;
    /** Attempts that it is given. */
    readonly maxAttempts: number;
    /** Unix seconds at which the attempt began; null: it has not. */
    readonly startedAt: number | null;
    /** Unix seconds of the next attempt; 0 or null: there is none. */
    readonly nextAttemptAt: number | null;
    /** What the last attempt met; empty: nothing. */
    readonly lastError: string;
    /** The same for programs; null: nothing. */
    readonly lastCause: ActorProblem | null;
  }[];
  /** Why it is in quarantine; null while it is not. */
  readonly fault: {
    /** Unix seconds. */
    readonly at: number;
    /** How often it failed. */
    readonly count: number;
    /** What it failed with. */
    readonly message: string;
    /** The same for programs; null where an older panel noted it. */
    readonly cause: ActorProblem | null;
  } | null;
};

export type ActorEvent = {
  /** The type of the event. */
  readonly type: string;
};

/** One page of a list. */
export type ActorPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Actor[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type ActorPreview = {
  /** The state before; null: it was new. */
  readonly from: string;
  /** The state after. */
  readonly to: string;
  /** What it would do. */
  readonly actions: readonly {
    /** What kind of action it is. */
    readonly type: string;
    /** What it is called. */
    readonly name: string;
  }[];
  /** Whether the event would move it. */
  readonly taken: boolean;
  /** Why it would not be taken; empty where it would. */
  readonly refused: string;
  /** The same for programs; null where it would. */
  readonly cause: ActorProblem | null;
};

export type ActorProblem = {
  /** What went wrong, for programs. */
  readonly code:
    | "chart_threw"
    | "chart_too_new"
    | "attempt_failed"
    | "no_result"
    | "result_refused"
    | "shard_lost"
    | "errand_late"
    | "secret_lost"
    | "quarantined"
    | "event_not_taken"
    | "event_changes_nothing"
    | "guarded";
  /** Values that belong to the code. */
  readonly values: readonly (string | number)[];
};

export type Admin = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username: string;
  /** The name of the role. */
  readonly role: string;
  /** The tier that the role narrows. */
  readonly base: "sudo" | "admin" | "resale";
  /** Whether the account owns the panel. */
  readonly owner: boolean;
  /** Bytes that its users may use in a period; 0: no limit. */
  readonly volume: number;
  /** Bytes that its users have used in this period. */
  readonly used: number;
  /** How often the allowance begins again. Empty: never. */
  readonly period: "" | "weekly" | "monthly" | "yearly";
  /**
   * The day on which a period begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years; 0: the
   * first.
   */
  readonly periodDay: number;
  /** Unix seconds at which the period began. 0: there is none. */
  readonly periodStart: number;
  /** Unix seconds at which the next period begins. 0: none will. */
  readonly nextReset: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry: number;
  /** Users that may be owned; 0: no limit. */
  readonly userLimit: number;
  /** Users that it owns. */
  readonly users: number;
  /** Whether it creates users from plans alone. */
  readonly plansOnly: boolean;
  /** Plans that are granted to it, where `plansOnly` is on. An id that names no plan grants nothing. */
  readonly planIds: readonly number[];
  /** Whether it only reads users. */
  readonly usersReadOnly: boolean;
  /**
   * Of a reseller: `open`, its users are served; `closing` and `closed`, none of them is; `opening`,
   * they are again. In `closing` and `opening` the records of its users follow. Empty: it is no
   * reseller.
   */
  readonly state: "" | "open" | "closing" | "closed" | "opening";
  /** The limit for which none of its users is served; empty: none. */
  readonly closedBy: "" | "volume" | "expiry";
  /** Whether two-factor is on. */
  readonly twoFactor: boolean;
  /** Unix seconds of the last sign-in. 0: never. */
  readonly lastLoginAt: number;
  /** The address of the last sign-in; empty: none. */
  readonly lastLoginIp: string;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
};

/** What `admin.2fa_changed` tells: two-factor turned on or off. */
export type Admin2faChangedData = {
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username?: string;
  /** Whether two-factor is on now. */
  readonly enabled?: boolean;
};

/** The event `admin.2fa_changed`: two-factor turned on or off. */
export type Admin2faChangedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "admin.2fa_changed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: Admin2faChangedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `admin.login` tells: an operator logged in. */
export type AdminLoginData = {
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username?: string;
  /** The address that the request came from. */
  readonly ip?: string;
};

/** The event `admin.login`: an operator logged in. */
export type AdminLoginEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "admin.login";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: AdminLoginData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `admin.login_failed` tells: a login was refused; stage is mfa for a wrong two-factor code. */
export type AdminLoginFailedData = {
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username?: string;
  /** The address that the request came from. */
  readonly ip?: string;
  /** How far the sign-in had come: `password` or `mfa`. */
  readonly stage?: string;
};

/** The event `admin.login_failed`: a login was refused; stage is mfa for a wrong two-factor code. */
export type AdminLoginFailedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "admin.login_failed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: AdminLoginFailedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `admin.login_new_ip` tells: a login from an address other than the previous login's. */
export type AdminLoginNewIpData = {
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username?: string;
  /** The address that the request came from. */
  readonly ip?: string;
  /** The address of the sign-in before. */
  readonly previousIp?: string;
};

/** The event `admin.login_new_ip`: a login from an address other than the previous login's. */
export type AdminLoginNewIpEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "admin.login_new_ip";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: AdminLoginNewIpData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `admin.owner_changed` tells: the panel was handed to another main admin. */
export type AdminOwnerChangedData = {
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username?: string;
  /** Who it was before. */
  readonly previous?: string;
};

/** The event `admin.owner_changed`: the panel was handed to another main admin. */
export type AdminOwnerChangedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "admin.owner_changed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: AdminOwnerChangedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** One page of a list. */
export type AdminPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Admin[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type AdminReport = {
  /** Unix seconds at which the range begins; together with `end`. */
  readonly start: number;
  /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
  readonly end: number;
  /** The time zone in which days begin. */
  readonly zone: string;
  /** Bytes sent. */
  readonly up: number;
  /** Bytes received. */
  readonly down: number;
  /** Rows that were restored. */
  readonly rows: readonly AdminReportRow[];
};

export type AdminReportRow = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** The name of the role. */
  readonly role: string | null;
  /** Bytes sent. */
  readonly up: number;
  /** Bytes received. */
  readonly down: number;
  /** The share of all that moved, 0 to 1. */
  readonly share: number;
  /** Bytes that may be used; 0: no limit. */
  readonly volume: number | null;
  /** How much of it is used. */
  readonly used: number | null;
  /** Users that may be owned; 0: no limit. */
  readonly userLimit: number | null;
  /** The accounts that it has. */
  readonly users: number | null;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry: number | null;
};

/**
 * What `admin.resale_cap_reached` tells: a reseller spent its allowance or expired; reason is
 * volume or expiry.
 */
export type AdminResaleCapReachedData = {
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username?: string;
  /** What has ended. */
  readonly reason?: "volume" | "expiry";
  /** Bytes that its users have used. */
  readonly used?: number;
  /** Bytes that they may use; 0: no limit. */
  readonly volume?: number;
};

/**
 * The event `admin.resale_cap_reached`: a reseller spent its allowance or expired; reason is
 * volume or expiry.
 */
export type AdminResaleCapReachedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "admin.resale_cap_reached";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: AdminResaleCapReachedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type AdminSession = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** Whether this is the session that asks. */
  readonly current: boolean;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of its last request. */
  readonly lastSeenAt: number;
  /** Unix seconds at which it ends. */
  readonly expiresAt: number;
  /** The address that the request came from. */
  readonly ip: string;
  /** What the browser calls itself. */
  readonly userAgent: string;
  /** Whether the session is kept after the browser is closed. */
  readonly remember: boolean;
  /** How the session began. */
  readonly via: "password" | "oidc";
};

export type Allowance = {
  /** Bytes that its users may use in a period; 0: no limit. */
  readonly volume: number;
  /** Bytes that its users have used in this period. */
  readonly used: number;
  /** How often the allowance begins again. Empty: never. */
  readonly period: "" | "weekly" | "monthly" | "yearly";
  /** Unix seconds at which the next period begins. 0: none will. */
  readonly nextReset: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry: number;
  /** Users that may be owned; 0: no limit. */
  readonly userLimit: number;
  /** Users that it owns. */
  readonly users: number;
};

export type ApiToken = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What it is for, in words. */
  readonly desc: string;
  /** The name of the role. */
  readonly role: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId: number;
  /** The operator's name. */
  readonly adminName: string;
  /** Scopes that were granted; none: all that the role has. */
  readonly scopes: readonly (
    | "users:read"
    | "users:write"
    | "nodes:read"
    | "nodes:write"
    | "nodes:install"
    | "tunnels:read"
    | "tunnels:write"
    | "templates:read"
    | "templates:write"
    | "pool:read"
    | "pool:write"
    | "certificates:read"
    | "certificates:write"
    | "settings:read"
    | "settings:write"
    | "stats:read"
    | "tools:write"
    | "admins:write"
    | "tokens:write"
    | "license:write"
    | "backup:read"
    | "backup:write"
    | "backup:deliver"
    | "security:read"
    | "security:write"
    | "webhooks:read"
    | "webhooks:write"
    | "services:read"
    | "services:write"
  )[];
  /** The addon that holds the token; empty: none. */
  readonly addon: string;
  /** Requests a minute; 0: the panel's own limit, 120. */
  readonly rateLimit: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry: number;
  /** The addon that the token belongs to; absent where there is none. */
  readonly managedBy?: string;
  /** Unix seconds of its last request. 0: never. */
  readonly lastUsedAt: number;
  /** The address of its last request; empty: none. */
  readonly lastUsedIp: string;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Whether its time is over. */
  readonly expired: boolean;
};

export type ApiTokenCreated = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What it is for, in words. */
  readonly desc: string;
  /** The name of the role. */
  readonly role: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId: number;
  /** The operator's name. */
  readonly adminName: string;
  /** Scopes that were granted; none: all that the role has. */
  readonly scopes: readonly (
    | "users:read"
    | "users:write"
    | "nodes:read"
    | "nodes:write"
    | "nodes:install"
    | "tunnels:read"
    | "tunnels:write"
    | "templates:read"
    | "templates:write"
    | "pool:read"
    | "pool:write"
    | "certificates:read"
    | "certificates:write"
    | "settings:read"
    | "settings:write"
    | "stats:read"
    | "tools:write"
    | "admins:write"
    | "tokens:write"
    | "license:write"
    | "backup:read"
    | "backup:write"
    | "backup:deliver"
    | "security:read"
    | "security:write"
    | "webhooks:read"
    | "webhooks:write"
    | "services:read"
    | "services:write"
  )[];
  /** The addon that holds the token; empty: none. */
  readonly addon: string;
  /** Requests a minute; 0: the panel's own limit, 120. */
  readonly rateLimit: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry: number;
  /** The addon that the token belongs to; absent where there is none. */
  readonly managedBy?: string;
  /** Unix seconds of its last request. 0: never. */
  readonly lastUsedAt: number;
  /** The address of its last request; empty: none. */
  readonly lastUsedIp: string;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Whether its time is over. */
  readonly expired: boolean;
  /** The token's text. It is shown this once. */
  readonly token: string;
};

/** One page of a list. */
export type ApiTokenPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly ApiToken[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type BackupFile = {
  /** The file's name. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Unix seconds of the moment that all of it is of; of an encrypted one, of its writing. */
  readonly createdAt: number;
  /** Whether it needs a passphrase. */
  readonly encrypted: boolean;
  /** What the archive says of itself; null where it is encrypted. */
  readonly manifest: BackupManifest | null;
  /** Unix seconds at which it was last tried out on a scratch database; null: never. */
  readonly rehearsedAt: number | null;
  /** How that went; null: never tried. */
  readonly rehearsal: "ok" | "failed" | null;
};

export type BackupList = {
  /** The archives, newest first. */
  readonly items: readonly BackupFile[];
  /** The folder that they lie in. */
  readonly dir: string;
};

export type BackupManifest = {
  /** The version of the archive's own layout. */
  readonly format: 1;
  /** The panel's version that wrote it. */
  readonly version: string;
  /** The newest migration of its database. */
  readonly schema: string;
  /** Unix seconds of the moment that all rows are of. */
  readonly createdAt: number;
  /** Which database it was made of. */
  readonly database: "sqlite" | "postgresql";
  /** Whether the series of traffic and the readings of nodes are in it. */
  readonly history: boolean;
  /** Whether the log of changes is in it. */
  readonly audit: boolean;
  /** The tables, in the order in which they follow. */
  readonly tables: readonly {
    /** What people call it. */
    readonly name: string;
    /** Rows that were restored. */
    readonly rows: number;
    /** Hex SHA-256 of the table's NDJSON. */
    readonly sha256: string;
  }[];
};

export type BackupPreview = {
  /** What the archive says of itself. */
  readonly manifest: BackupManifest;
  /** Operators in it. */
  readonly admins: number;
  /** Users in it. */
  readonly users: number;
  /** Nodes in it. */
  readonly nodes: number;
  /** Sentences on what would be lost or other than it was. */
  readonly warnings: readonly string[];
  /** Whether this version of the panel can restore it. */
  readonly compatible: boolean;
};

export type BackupRehearsal = {
  /** Whether a restore would have gone well. */
  readonly ok: boolean;
  /** How long it took. */
  readonly seconds: number;
  /** Tables that were loaded. */
  readonly tables: number;
  /** Rows that were loaded. */
  readonly rows: number;
  /** Operators among them. */
  readonly admins: number;
  /** Users among them. */
  readonly users: number;
  /** Nodes among them. */
  readonly nodes: number;
  /** Sentences; where it failed, the first one says why. */
  readonly warnings: readonly string[];
};

export type BackupRestore = {
  /** `true`: the database is exchanged at the next start. `false`: it was exchanged. */
  readonly staged: boolean;
  /** Path of the archive of what was there before; empty where nothing was. */
  readonly snapshot: string;
  /** Tables that were restored. */
  readonly tables: number;
  /** Rows that were restored. */
  readonly rows: number;
};

export type BackupResult = {
  /** Unix seconds of its end. */
  readonly at: number;
  /** Whether the archive was made. */
  readonly ok: boolean;
  /** Why it was not; empty where it was. */
  readonly error: string;
  /** The archive's name; empty where there is none. */
  readonly name: string;
  /** Bytes of the archive. */
  readonly size: number;
};

export type BackupSchedule = {
  /** Whether archives are made by it. */
  readonly enabled: boolean;
  /** Hours from one archive to the next. */
  readonly intervalHours: number;
  /** The folder of archives, as it is set; empty: `backups` beside the database. */
  readonly dir: string;
  /** Archives that the hourly retention leaves; 0: all. */
  readonly keep: number;
  /** Whether its archives have the series of traffic and the readings of nodes. */
  readonly includeHistory: boolean;
  /** Whether its archives have the log of changes. */
  readonly includeAudit: boolean;
  /** Whether its archives are encrypted. The passphrase is never told. */
  readonly passphraseSet: boolean;
  /** Whether each of its archives is tried out on a scratch database. */
  readonly rehearse: boolean;
  /**
   * Unix seconds at which its next archive is due, by the newest one that is there; null while it is
   * off.
   */
  readonly nextDue: number | null;
  /** How its last archive went; null: there was none yet. */
  readonly lastResult: BackupResult | null;
};

export type BackupScheduleUpdate = {
  /** Whether archives are made by it. */
  readonly enabled?: boolean | null;
  /** Hours from one archive to the next, a year at most; 0 means 24. */
  readonly intervalHours?: number | null;
  /** An absolute path; empty: `backups` beside the database. */
  readonly dir?: string | null;
  /** Archives that the hourly retention leaves; 0: all. */
  readonly keep?: number | null;
  /** Whether its archives have the series of traffic and the readings of nodes. */
  readonly includeHistory?: boolean | null;
  /** Whether its archives have the log of changes. */
  readonly includeAudit?: boolean | null;
  /** Encrypts what is made from now on; empty leaves it as it is. */
  readonly passphrase?: string | null;
  /** `true`: what is made from now on is not encrypted. */
  readonly clearPassphrase?: boolean | null;
  /** Whether each of its archives is tried out on a scratch database. */
  readonly rehearse?: boolean | null;
};

export type Ban = {
  /** The address; of an IPv6 address its /64. */
  readonly ip: string;
  /** Unix seconds at which the ban ends. */
  readonly until: number;
  /** What was refused. */
  readonly reason: string;
  /** Refused attempts that led to it. */
  readonly attempts: number;
};

export type BeginMyTwoFactorAnswer = {
  /** The secret for the authenticator, in base32. */
  readonly secret: string;
  /** The same as an `otpauth:` address, for a QR code. */
  readonly uri: string;
};

export type BeginProviderLoginBody = {
  /** The id of the identity provider. */
  readonly provider: number;
  /**
   * This panel's `…/login/oidc/callback`, under the name and prefix by which the browser comes back.
   * The provider is told its own address below it, unless it has the shared one.
   */
  readonly redirectUri: string;
  /** Keep the session after the browser is closed; `false` where it is left out. */
  readonly remember?: boolean;
};

export type BulkUsersBody = UserBulkBody;

export type Change = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** Unix seconds of the change. */
  readonly time: number;
  /** Who did it. */
  readonly actor: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId: number;
  /** How it came. */
  readonly via: "session" | "token" | "cli" | "system";
  /** The token that it came with; 0: none. */
  readonly tokenId: number;
  /** The address that the request came from. */
  readonly ip: string;
  /** The collection that the record is in: `users`, `settings` … */
  readonly key: string;
  /** The record that was changed. */
  readonly entityId: string;
  /** What was done. */
  readonly action:
    | "create"
    | "update"
    | "delete"
    | "enable"
    | "disable"
    | "login"
    | "logout"
    | "confirm"
    | "password"
    | "2fa.enrol"
    | "2fa.enable"
    | "2fa.disable"
    | "2fa.recovery"
    | "sessions.delete"
    | "dashboard"
    | "interface"
    | "owner"
    | "order"
    | "fronts"
    | "start"
    | "renew"
    | "extend"
    | "reset-usage"
    | "sub.rotate"
    | "device.delete"
    | "batch"
    | "connections.close"
    | "ping"
    | "resend"
    | "sync"
    | "reconnect"
    | "repin"
    | "move"
    | "event"
    | "resume"
    | "restart"
    | "refresh"
    | "cancel"
    | "undo"
    | "bulk.enable"
    | "bulk.disable"
    | "bulk.delete"
    | "bulk.reset-usage"
    | "bulk.extend"
    | "bulk.add-volume"
    | "bulk.edit"
    | "bulk.assign"
    | "bulk.rotate-sub"
    | "bulk.renew"
    | "bulk.restore"
    | "download"
    | "restore"
    | "forget"
    | "generate"
    | "import";
  /** What changed: of each field the new value, or the old and the new one. Secrets are left out. */
  readonly obj: { readonly [name: string]: unknown };
};

export type ChangeFacets = {
  /** Everybody who has changed something. */
  readonly actors: readonly string[];
  /** Every collection that was changed. */
  readonly keys: readonly string[];
  /** Everything that was done. */
  readonly actions: readonly (
    | "create"
    | "update"
    | "delete"
    | "enable"
    | "disable"
    | "login"
    | "logout"
    | "confirm"
    | "password"
    | "2fa.enrol"
    | "2fa.enable"
    | "2fa.disable"
    | "2fa.recovery"
    | "sessions.delete"
    | "dashboard"
    | "interface"
    | "owner"
    | "order"
    | "fronts"
    | "start"
    | "renew"
    | "extend"
    | "reset-usage"
    | "sub.rotate"
    | "device.delete"
    | "batch"
    | "connections.close"
    | "ping"
    | "resend"
    | "sync"
    | "reconnect"
    | "repin"
    | "move"
    | "event"
    | "resume"
    | "restart"
    | "refresh"
    | "cancel"
    | "undo"
    | "bulk.enable"
    | "bulk.disable"
    | "bulk.delete"
    | "bulk.reset-usage"
    | "bulk.extend"
    | "bulk.add-volume"
    | "bulk.edit"
    | "bulk.assign"
    | "bulk.rotate-sub"
    | "bulk.renew"
    | "bulk.restore"
    | "download"
    | "restore"
    | "forget"
    | "generate"
    | "import"
  )[];
};

export type ChangeMyPasswordBody = {
  /** The password that holds now. */
  readonly currentPassword: string;
  /** The password that holds from now on. */
  readonly newPassword: string;
};

/** One page of a list. */
export type ChangePage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Change[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

/** The key under which a client app reads encrypted import links */
export type ClientAppKey = {
  /** The key as it was found. */
  readonly key: string;
  /** How links of the app begin. */
  readonly scheme: string;
  /** SHA-256 of the key, in hex. */
  readonly fingerprint: string;
  /** Unix seconds at which it was fetched. */
  readonly fetchedAt: number;
};

export type CloseUserConnectionsBody = {
  /** Sessions on this node alone; 0 or left out: on all of them. */
  readonly nodeId?: number;
  /** The tag of the inbound. */
  readonly inbound?: string;
  /** The tag of the outbound. */
  readonly outbound?: string;
};

/** A JSON Schema (2020-12). */
export type ConfigSchema = { readonly [name: string]: unknown };

export type ConfirmMySecondFactorAnswer = {
  /** Unix seconds at which the second factor was presented. */
  readonly confirmedAt: number;
  /** Unix seconds until which sensitive routes are open to the session. */
  readonly until: number;
};

export type ConfirmMySecondFactorBody = {
  /** Six digits of the authenticator. */
  readonly code: string;
};

/** The refusal `confirm`: the second factor must be confirmed. */
export type ConfirmationNeeded = {
  /** What was refused, for people. */
  readonly error: string;
  /** Which refusal this is. */
  readonly code: "confirm";
  /** Which second factor is asked for. */
  readonly confirm: "totp";
};

export type ConnectionsClosed = {
  /** What was done, by node. */
  readonly results: readonly {
    /** The node's id. */
    readonly nodeId: number;
    /** The node's name. */
    readonly node: string;
    /** Sessions that were closed. */
    readonly closed: number;
    /** Why the node did nothing; absent where it did. */
    readonly error?: string;
    /** What went wrong, for programs; null where it has no code. */
    readonly cause?: NodeCause;
  }[];
};

/** A new operator. What is left out is 0, empty or off. */
export type CreateAdminBody = {
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username: string;
  /** The password, 8 characters or more. */
  readonly password: string;
  /** The name of the role; `admin` where it is left out. */
  readonly role?: string;
  /** Bytes that its users may use in a period; 0: no limit. 0 where it is left out. */
  readonly volume?: number;
  /** How often the allowance begins again. Empty: never. */
  readonly period?: "" | "weekly" | "monthly" | "yearly";
  /**
   * The day on which a period begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years; 0: the
   * first.
   */
  readonly periodDay?: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
  /** Users that may be owned; 0: no limit. */
  readonly userLimit?: number;
  /** Whether it creates users from plans alone. */
  readonly plansOnly?: boolean;
  /** Plans that are granted to it, where `plansOnly` is on. An id that names no plan grants nothing. */
  readonly planIds?: readonly number[];
  /** Whether it only reads users. */
  readonly usersReadOnly?: boolean;
};

export type CreateTokenBody = {
  /** What it is for, in words. */
  readonly desc?: string;
  /** The name of the role; that of its operator where it is empty. */
  readonly role?: string;
  /** The operator that the token acts as; 0: the caller. */
  readonly adminId?: number;
  /** Scopes that are granted; none: all that the role has. */
  readonly scopes?: readonly (
    | "users:read"
    | "users:write"
    | "nodes:read"
    | "nodes:write"
    | "nodes:install"
    | "tunnels:read"
    | "tunnels:write"
    | "templates:read"
    | "templates:write"
    | "pool:read"
    | "pool:write"
    | "certificates:read"
    | "certificates:write"
    | "settings:read"
    | "settings:write"
    | "stats:read"
    | "tools:write"
    | "admins:write"
    | "tokens:write"
    | "license:write"
    | "backup:read"
    | "backup:write"
    | "backup:deliver"
    | "security:read"
    | "security:write"
    | "webhooks:read"
    | "webhooks:write"
    | "services:read"
    | "services:write"
  )[];
  /** The addon that holds the token; empty: none. */
  readonly addon?: string;
  /** Requests a minute; 0: the panel's own limit, 120. */
  readonly rateLimit?: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
};

export type CredentialsByProtocol = {
  /** Those for VLESS alone. */
  readonly vless?: OwnCredentialsBody;
  /** Those for VMess alone. */
  readonly vmess?: OwnCredentialsBody;
  /** Those for TUIC alone. */
  readonly tuic?: OwnCredentialsBody;
  /** Those for Trojan alone. */
  readonly trojan?: OwnCredentialsBody;
  /** Those for Hysteria 2 alone. */
  readonly hysteria2?: OwnCredentialsBody;
  /** Those for AnyTLS alone. */
  readonly anytls?: OwnCredentialsBody;
  /** Those for SOCKS and mixed inbounds alone. */
  readonly socks?: OwnCredentialsBody;
  /** Those for HTTP alone. */
  readonly http?: OwnCredentialsBody;
  /** Those for Shadowsocks inbounds of its `method` alone. */
  readonly shadowsocks?: OwnShadowsocksBody;
};

/** The refusal `cross_site`: the request comes from another site. */
export type CrossSite = {
  /** What was refused, for people. */
  readonly error: string;
  /** Which refusal this is. */
  readonly code: "cross_site";
  /** Whose page sent the request, as the browser says it; empty where it says none. */
  readonly origin: string;
  /** The panel's own origin, by the `Host` of the request. */
  readonly expected: string;
};

export type DeleteNodeAnswer = {
  /** `true`. */
  readonly ok: true;
  /** Whether the engine was stopped. `false`: the node did not answer. */
  readonly stopped: boolean;
};

/** A user that was deleted and can come back. */
export type DeletedUser = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** A label to find accounts by; empty: none. */
  readonly group: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId: number;
  /** Unix seconds of the deletion. */
  readonly deletedAt: number;
  /** Who deleted it, for callers with `stats:read`; else the caller's own name, or empty. */
  readonly deletedBy: string;
  /** Unix seconds from which it is forgotten. */
  readonly until: number;
  /** Bytes that may be used; 0: no limit. */
  readonly volume: number;
  /** Bytes since the last reset, with what nodes told after the deletion. */
  readonly used: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry: number;
};

/** One page of a list. */
export type DeletedUserPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly DeletedUser[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

/** A user that was deleted and can come back, with what it would be. */
export type DeletedUserRecord = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** A label to find accounts by; empty: none. */
  readonly group: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId: number;
  /** Unix seconds of the deletion. */
  readonly deletedAt: number;
  /** Who deleted it, for callers with `stats:read`; else the caller's own name, or empty. */
  readonly deletedBy: string;
  /** Unix seconds from which it is forgotten. */
  readonly until: number;
  /** Bytes that may be used; 0: no limit. */
  readonly volume: number;
  /** Bytes since the last reset, with what nodes told after the deletion. */
  readonly used: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry: number;
  /** Whether it was switched on. */
  readonly enable: boolean;
  /** Why the account is off; empty while it is on. */
  readonly disabledReason: "" | "manual" | "volume" | "expiry" | "resale-volume" | "resale-expiry";
  /** What it is for, in words. */
  readonly desc: string;
  /** The name of the subscription in its address; made at random where it is left out or empty. */
  readonly subId: string;
  /** What a shop calls the account, its own among all accounts; empty: none. */
  readonly externalId: string;
  /**
   * Seconds from the first connection to the end; 0: the end is `expiry`. Setting it begins the plan
   * again.
   */
  readonly duration: number;
  /** Unix seconds of the first connection; 0: not yet. */
  readonly activatedAt: number;
  /** Devices that have their places back with it. */
  readonly devices: number;
  /**
   * Fields whose value another account has by now: it comes back with another value for them. A
   * reseller is not told of the link and of credentials.
   */
  readonly taken: readonly string[];
};

/** A description in the format of OpenAPI 3.1. */
export type Description = { readonly [name: string]: unknown };

export type EmptyChangesAnswer = {
  /** Records that were deleted. */
  readonly deleted: number;
};

export type ErrandLine = {
  /** The number of the line, from 1, without a gap. */
  readonly seq: number;
  /** Unix seconds. */
  readonly at: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** `info`, `warning` or `error`. */
  readonly level: string;
  /** What happened, for programs; `output`: a remote program said `text`. */
  readonly code: string;
  /** What belongs to the code. */
  readonly values: readonly (string | number)[];
  /** What a remote program said; else empty. */
  readonly text: string;
};

export type ErrandLog = {
  /** The lines behind the cursor. */
  readonly rows: readonly ErrandLine[];
  /** The number of the last line; go on with it. */
  readonly cursor: number;
};

/** A refusal. */
export type Error = {
  /** What was refused, for people. */
  readonly error: string;
  /** What was refused, for programs. */
  readonly code: ErrorCode;
  /** The first offending field, as a path; absent where no field is to blame. */
  readonly field?: string;
  /** The offending fields, the first twenty of them; absent where no field is to blame. */
  readonly issues?: readonly ErrorIssue[];
  /** How many fields offend, also those that `issues` does not list; absent where `issues` is. */
  readonly issueCount?: number;
  /** Why a node did not do it; absent where no node is to blame. */
  readonly cause?: NodeCause;
};

/** What was refused, for programs: it never changes, the sentence may. */
export type ErrorCode =
  | "validation"
  | "bad_request"
  | "malformed_json"
  | "duplicate"
  | "token_refused"
  | "unauthenticated"
  | "wrong_code"
  | "bad_credentials"
  | "cap_reached"
  | "forbidden"
  | "scope"
  | "token_closed"
  | "cross_site"
  | "address_refused"
  | "account_expired"
  | "not_found"
  | "method_not_allowed"
  | "cursor_expired"
  | "request_timeout"
  | "conflict"
  | "version_conflict"
  | "in_progress"
  | "idempotency_reuse"
  | "answer_gone"
  | "setup_finished"
  | "too_large"
  | "media_type"
  | "confirm"
  | "headers_too_large"
  | "rate_limited"
  | "banned"
  | "internal"
  | "unsupported"
  | "upstream"
  | "unavailable"
  | "forbidden_key"
  | "time_range"
  | "format"
  | "encrypted"
  | "passphrase"
  | "no_admins"
  | "login_ended"
  | "wrong_password"
  | "own_password"
  | "provider_reach"
  | "reseller_closed"
  | "plan_needed"
  | "busy"
  | "in_use"
  | "changed_meanwhile"
  | "held_by_addon"
  | "provider_off"
  | "webhook_off"
  | "node_off"
  | "node_on"
  | "agent_taken"
  | "event_not_safe"
  | "event_not_taken"
  | "event_failed"
  | "quarantined"
  | "not_quarantined"
  | "cannot_start"
  | "nothing_to_renew"
  | "no_term"
  | "nothing_to_extend"
  | "cannot_undo"
  | "too_many_fronts"
  | "too_busy"
  | "disk_full";

export type ErrorIssue = {
  /** The field, as a path: `limits.volume`, `inboundIds.2`. */
  readonly path: string;
  /** What is wrong with it, for people. */
  readonly message: string;
  /** The rule that was broken. */
  readonly code:
    | "required"
    | "type"
    | "choice"
    | "choices"
    | "unknown"
    | "unfit"
    | "absent"
    | "gone"
    | "taken_by"
    | "fixed"
    | "needed_with"
    | "not_with"
    | "needs"
    | "repeated"
    | "empty"
    | "too_short"
    | "too_long"
    | "length"
    | "too_small"
    | "too_large"
    | "between"
    | "too_few"
    | "too_many"
    | "too_few_bytes"
    | "too_many_bytes"
    | "too_deep"
    | "whole_number"
    | "size"
    | "date"
    | "cut_digits"
    | "empty_limit"
    | "control_characters"
    | "direction_characters"
    | "unstorable_text"
    | "edge_spaces"
    | "username"
    | "password_is_username"
    | "slug"
    | "sub_id"
    | "chat"
    | "name_pattern"
    | "email"
    | "phone"
    | "uuid"
    | "id"
    | "entity"
    | "days"
    | "duration"
    | "time_zone"
    | "in_past"
    | "time_range"
    | "span_range"
    | "not_started"
    | "host"
    | "client_addresses"
    | "ip_address"
    | "address_range"
    | "domain"
    | "listen_place"
    | "cannot_listen"
    | "http_url"
    | "https_url"
    | "url_credentials"
    | "unresolved"
    | "private_target"
    | "redirect_uri"
    | "base_path"
    | "dot_segments"
    | "shared_path"
    | "absolute_path"
    | "directory"
    | "root_directory"
    | "panel_place"
    | "missing_file"
    | "unreadable"
    | "no_file"
    | "no_certificate"
    | "no_private_key"
    | "other_certificate_key"
    | "unservable"
    | "outranks"
    | "outside_tier"
    | "oauth_scopes"
    | "openid"
    | "subject_field"
    | "issuer"
    | "reseller"
    | "event_filter"
    | "tiles"
    | "hex"
    | "sha256"
    | "base64"
    | "x25519_key"
    | "rsa_key"
    | "certificate_chain"
    | "private_key"
    | "other_key"
    | "forbidden_key"
    | "deprecated"
    | "removed"
    | "panel_fills"
    | "other_record"
    | "no_template"
    | "not_carried"
    | "no_front"
    | "no_layer"
    | "needs_tls"
    | "version_order"
    | "needs_tls13"
    | "vision"
    | "single_user"
    | "server_key"
    | "masquerade"
    | "own_event";
  /** The rule's bounds, choices or names. */
  readonly values?: readonly (string | number)[];
};

export type EventCatalogue = {
  /** Every event. */
  readonly events: readonly {
    /** The event's name. */
    readonly name:
      | "admin.login"
      | "admin.login_failed"
      | "admin.login_new_ip"
      | "admin.2fa_changed"
      | "admin.owner_changed"
      | "admin.resale_cap_reached"
      | "panel.started"
      | "panel.stopping"
      | "panel.crashed"
      | "panel.setup_completed"
      | "panel.settings_changed"
      | "panel.restore_applied"
      | "panel.cert_renewed"
      | "panel.cert_renew_failed"
      | "panel.cert_expiring"
      | "panel.ruleset_refresh_failed"
      | "panel.update_available"
      | "panel.license_changed"
      | "panel.license_expiring"
      | "panel.license_unverified"
      | "panel.ip_banned"
      | "panel.addon_registered"
      | "panel.addon_removed"
      | "panel.addon_unhealthy"
      | "panel.addon_recovered"
      | "panel.addon_update_waiting"
      | "user.created"
      | "user.updated"
      | "user.deleted"
      | "user.restored"
      | "user.enabled"
      | "user.disabled"
      | "user.suspended"
      | "user.resumed"
      | "user.quota_reached"
      | "user.expired"
      | "user.quota_warning"
      | "user.expiring"
      | "user.renewed"
      | "user.activated"
      | "user.first_fetch"
      | "user.device_limit_reached"
      | "user.bulk"
      | "user.generated"
      | "node.connected"
      | "node.disconnected"
      | "node.limit_reached"
      | "node.usage_refused"
      | "node.disk_high"
      | "node.disk_recovered"
      | "node.memory_high"
      | "node.memory_recovered"
      | "node.rejections_high"
      | "panel.ping"
      | "panel.backup_done"
      | "panel.backup_failed"
      | "panel.backup_upload_failed";
    /** What the event is about. */
    readonly family: "user" | "node" | "admin" | "panel";
    /** What a listener must hold; empty: nothing. */
    readonly scope: string;
    /** When it is raised. */
    readonly description: string;
    /** The members of `data`. */
    readonly fields: readonly {
      /** The member's name. */
      readonly name: string;
      /** The member's type. */
      readonly type:
        | "integer"
        | "string"
        | "boolean"
        | "integer[]"
        | "string[]"
        | "object"
        | "NodeCause"
        | "NodeNotice[]";
    }[];
  }[];
};

export type EventEnvelope = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** Names the event: the same in every delivery of it. */
  readonly id: number;
  /** The event's name. */
  readonly event:
    | "admin.login"
    | "admin.login_failed"
    | "admin.login_new_ip"
    | "admin.2fa_changed"
    | "admin.owner_changed"
    | "admin.resale_cap_reached"
    | "panel.started"
    | "panel.stopping"
    | "panel.crashed"
    | "panel.setup_completed"
    | "panel.settings_changed"
    | "panel.restore_applied"
    | "panel.cert_renewed"
    | "panel.cert_renew_failed"
    | "panel.cert_expiring"
    | "panel.ruleset_refresh_failed"
    | "panel.update_available"
    | "panel.license_changed"
    | "panel.license_expiring"
    | "panel.license_unverified"
    | "panel.ip_banned"
    | "panel.addon_registered"
    | "panel.addon_removed"
    | "panel.addon_unhealthy"
    | "panel.addon_recovered"
    | "panel.addon_update_waiting"
    | "user.created"
    | "user.updated"
    | "user.deleted"
    | "user.restored"
    | "user.enabled"
    | "user.disabled"
    | "user.suspended"
    | "user.resumed"
    | "user.quota_reached"
    | "user.expired"
    | "user.quota_warning"
    | "user.expiring"
    | "user.renewed"
    | "user.activated"
    | "user.first_fetch"
    | "user.device_limit_reached"
    | "user.bulk"
    | "user.generated"
    | "node.connected"
    | "node.disconnected"
    | "node.limit_reached"
    | "node.usage_refused"
    | "node.disk_high"
    | "node.disk_recovered"
    | "node.memory_high"
    | "node.memory_recovered"
    | "node.rejections_high"
    | "panel.ping"
    | "panel.backup_done"
    | "panel.backup_failed"
    | "panel.backup_upload_failed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: { readonly [name: string]: unknown };
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** One page of a list. */
export type EventEnvelopePage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly EventEnvelope[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

/** Events behind a cursor, oldest first. */
export type EventLogPage = {
  /** Where to go on. */
  readonly cursor: string;
  /** The events. */
  readonly items: readonly EventEnvelope[];
  /** Whether there are more already. */
  readonly more: boolean;
};

/** How many accounts will reach their date, by day. */
export type Expiries = {
  /** The days to come, today first. */
  readonly days: readonly ExpiryDay[];
};

/** One day. */
export type ExpiryDay = {
  /** Unix seconds at which the day begins. */
  readonly at: number;
  /** Accounts that are on and reach their date then. */
  readonly count: number;
};

export type FinishSetupBody = {
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username: string;
  /** The password, 8 characters or more. */
  readonly password: string;
  /** Settings by key. */
  readonly settings?: { readonly [name: string]: string };
};

export type ForgottenDevices = {
  /** devices that had a place */
  readonly forgotten: number;
};

/** Another way to inbounds, through a CDN or another proxy. Clients get an entry for it. */
export type Front = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What the panel calls it. */
  readonly name: string;
  /** The name that clients ask for in `Host`, and in TLS unless `sni` says otherwise. */
  readonly domain: string;
  /** Where clients connect; empty: the domain. */
  readonly address: string;
  /** The port at which clients connect; 0: 443. Ports that CDNs serve without TLS have none. */
  readonly port: number;
  /** The name that clients ask for in TLS; empty: the domain. */
  readonly sni: string;
  /** The path that clients ask for; empty: the inbound's own. */
  readonly path: string;
  /** A note of one line; empty: none. */
  readonly remark: string;
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /**
   * A header that only the front sets. Where a request has it, xhttp inbounds take the client's
   * address from `X-Forwarded-For`; empty: never.
   */
  readonly clientHeader: string;
  /** Inbounds that it leads to. */
  readonly inboundIds: readonly number[];
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
};

/** A new domain front. What is left out is empty, except `enabled` and `clientHeader`. */
export type FrontCreate = {
  /** What the panel calls it. */
  readonly name: string;
  /** The name that clients ask for in `Host`, and in TLS unless `sni` says otherwise. */
  readonly domain: string;
  /** Where clients connect; empty: the domain. */
  readonly address?: string;
  /** The port at which clients connect; 0: 443. Ports that CDNs serve without TLS have none. */
  readonly port?: number;
  /** The name that clients ask for in TLS; empty: the domain. */
  readonly sni?: string;
  /** The path that clients ask for; empty: the inbound's own. */
  readonly path?: unknown;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** Whether it is switched on. */
  readonly enabled?: boolean;
  /**
   * A header that only the front sets. Where a request has it, xhttp inbounds take the client's
   * address from `X-Forwarded-For`; empty: never.
   */
  readonly clientHeader?: string;
  /** Inbounds that it leads to. */
  readonly inboundIds?: readonly number[];
};

/** One page of a list. */
export type FrontPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Front[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type FrontRecord = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** The name that clients ask for in `Host`, and in TLS unless `sni` says otherwise. */
  readonly domain: string;
  /** The host name or IP address of the node's agent. */
  readonly address: string;
  /** The port of the node's agent. */
  readonly port: number;
  /** The name that clients ask for in TLS; empty: the domain. */
  readonly sni: string;
  /** The path of the request. */
  readonly path: string;
  /** A note of one line; empty: none. */
  readonly remark: string;
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /**
   * A header that only the front sets. Where a request has it, xhttp inbounds take the client's
   * address from `X-Forwarded-For`; empty: never.
   */
  readonly clientHeader: string;
  /** Inbounds that it leads to. */
  readonly inboundIds: readonly number[];
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /** What uses it: a change of it changes them. */
  readonly usedBy: UsedBy;
};

/** Fields of a domain front. What is left out is kept. */
export type FrontUpdate = {
  /** What the panel calls it. */
  readonly name?: string;
  /** The name that clients ask for in `Host`, and in TLS unless `sni` says otherwise. */
  readonly domain?: string;
  /** Where clients connect; empty: the domain. */
  readonly address?: string;
  /** The port at which clients connect; 0: 443. Ports that CDNs serve without TLS have none. */
  readonly port?: number;
  /** The name that clients ask for in TLS; empty: the domain. */
  readonly sni?: string;
  /** The path that clients ask for; empty: the inbound's own. */
  readonly path?: unknown;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** Whether it is switched on. */
  readonly enabled?: boolean;
  /**
   * A header that only the front sets. Where a request has it, xhttp inbounds take the client's
   * address from `X-Forwarded-For`; empty: never.
   */
  readonly clientHeader?: string;
  /** Inbounds that it leads to. */
  readonly inboundIds?: readonly number[];
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

export type GeneratedUser = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** The address of the subscription. */
  readonly subUrl: string;
};

export type GetBackupManifestAnswer = BackupManifest | null;

export type GetMyTwoFactorAnswer = {
  /** Whether two-factor is on. */
  readonly enabled: boolean;
  /** Unix seconds at which two-factor was switched on. 0: it is off. */
  readonly enabledAt: number;
  /** Recovery codes that have not been used. */
  readonly recoveryCodesLeft: number;
};

/** What happened to accounts, by day. */
export type Growth = {
  /** The days of the range, the oldest first. */
  readonly days: readonly GrowthDay[];
};

/** One day. */
export type GrowthDay = {
  /** Unix seconds at which the day begins. */
  readonly at: number;
  /** Accounts that were made. */
  readonly created: number;
  /** Accounts that were deleted. */
  readonly deleted: number;
  /** Accounts that began with their first connection. */
  readonly activated: number;
  /** Accounts that were switched off because their date passed. */
  readonly expired: number;
  /** Accounts that were switched off because their traffic was used up. */
  readonly limited: number;
  /** Renewals and extensions. */
  readonly renewed: number;
  /** deleted accounts that came back */
  readonly restored: number;
  /** Accounts at the end of the day; of today: now. */
  readonly total: number;
};

export type ImportUsersAnswer = UserImportTrial | UserImportResult;

/** The refusal `in_progress`: the first request under this Idempotency-Key is still running. */
export type InProgress = {
  /** What was refused, for people. */
  readonly error: string;
  /** Which refusal this is. */
  readonly code: "in_progress";
  /** `true`. */
  readonly inProgress: true;
};

export type InProgressOrError = InProgress | Error;

export type InProgressOrInUseOrError = InProgress | InUse | Error;

export type InProgressOrNodeOffOrError = InProgress | NodeOff | Error;

/** The refusal `in_use`: others use the record; `names` lists them. */
export type InUse = {
  /** What was refused, for people. */
  readonly error: string;
  /** Which refusal this is. */
  readonly code: "in_use";
  /** Who uses the record. */
  readonly names: readonly string[];
};

export type Inbound = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What routes, links and counters call it. Two inbounds of one node have different ones. */
  readonly tag: string;
  /** The protocol. */
  readonly type:
    | "vless"
    | "vmess"
    | "trojan"
    | "shadowsocks"
    | "hysteria2"
    | "hysteria"
    | "tuic"
    | "anytls"
    | "naive"
    | "shadowtls"
    | "socks"
    | "http"
    | "mixed"
    | "direct";
  /** The fragment of configuration, in the form of the engine's own (docs/engines.md). */
  readonly config: { readonly [name: string]: unknown };
  /** A note of one line; empty: none. */
  readonly remark: string;
  /** Whether the node's own certificate takes the place of the inbound's. */
  readonly useNodeCert: boolean;
  /** The panel's certificate for its TLS; it wins over `useNodeCert`. 0 or null: none. */
  readonly certificateId: number | null;
  /** What links and subscriptions say in place of the inbound's own; nodes are not sent it. */
  readonly clientConfig: { readonly [name: string]: unknown };
  /** Whether links without a front are left out where one is there. */
  readonly frontedOnly: boolean;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /** Fields whose stored value may not be written any more. Nodes do not run the record. */
  readonly forbidden: readonly string[];
  /**
   * fields that an older version stored and this one refuses: with one of `type` or `config`, no
   * subscription lists the inbound; those of `clientConfig` are not told to clients
   */
  readonly refused: readonly string[];
};

/** A new inbound. What is left out is empty or off. */
export type InboundCreate = {
  /** What routes, links and counters call it. */
  readonly tag: unknown;
  /** The protocol. */
  readonly type:
    | "vless"
    | "vmess"
    | "trojan"
    | "shadowsocks"
    | "hysteria2"
    | "hysteria"
    | "tuic"
    | "anytls"
    | "naive"
    | "shadowtls"
    | "socks"
    | "http"
    | "mixed"
    | "direct";
  /** The fragment of configuration, in the form of the engine's own (docs/engines.md). */
  readonly config: { readonly [name: string]: unknown };
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** Whether the node's own certificate takes the place of the inbound's. */
  readonly useNodeCert?: boolean;
  /** The panel's certificate for its TLS; it wins over `useNodeCert`. 0 or null: none. */
  readonly certificateId?: number | null;
  /** What links and subscriptions say in place of the inbound's own; nodes are not sent it. */
  readonly clientConfig?: { readonly [name: string]: unknown } | null;
  /** Whether links without a front are left out where one is there. */
  readonly frontedOnly?: boolean;
};

/** One page of a list. */
export type InboundPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Inbound[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type InboundRecord = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The tag. */
  readonly tag: string;
  /** The type of the event. */
  readonly type: string;
  /** The fragment of configuration, in the form of the engine's own (docs/engines.md). */
  readonly config: { readonly [name: string]: unknown };
  /** A note of one line; empty: none. */
  readonly remark: string;
  /** Whether the node's own certificate takes the place of the inbound's. */
  readonly useNodeCert: boolean;
  /** The panel's certificate for its TLS; it wins over `useNodeCert`. 0 or null: none. */
  readonly certificateId: number | null;
  /** What links and subscriptions say in place of the inbound's own; nodes are not sent it. */
  readonly clientConfig: { readonly [name: string]: unknown };
  /** Whether links without a front are left out where one is there. */
  readonly frontedOnly: boolean;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /** Fields whose stored value may not be written any more. Nodes do not run the record. */
  readonly forbidden: readonly string[];
  /**
   * fields that an older version stored and this one refuses: with one of `type` or `config`, no
   * subscription lists the inbound; those of `clientConfig` are not told to clients
   */
  readonly refused: readonly string[];
  /** What uses it: a change of it changes them. */
  readonly usedBy: UsedBy;
};

/** Fields of an inbound. What is left out is kept. */
export type InboundUpdate = {
  /** What routes, links and counters call it. */
  readonly tag?: unknown;
  /** The protocol. */
  readonly type?:
    | "vless"
    | "vmess"
    | "trojan"
    | "shadowsocks"
    | "hysteria2"
    | "hysteria"
    | "tuic"
    | "anytls"
    | "naive"
    | "shadowtls"
    | "socks"
    | "http"
    | "mixed"
    | "direct";
  /** The fragment of configuration, in the form of the engine's own (docs/engines.md). */
  readonly config?: { readonly [name: string]: unknown };
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** Whether the node's own certificate takes the place of the inbound's. */
  readonly useNodeCert?: boolean;
  /** The panel's certificate for its TLS; it wins over `useNodeCert`. 0 or null: none. */
  readonly certificateId?: number | null;
  /** What links and subscriptions say in place of the inbound's own; nodes are not sent it. */
  readonly clientConfig?: { readonly [name: string]: unknown } | null;
  /** Whether links without a front are left out where one is there. */
  readonly frontedOnly?: boolean;
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

export type Job = {
  /** The job's id. */
  readonly id: number;
  /**
   * Which work it is: `users.bulk`, `users.import`, `users.generate`, `users.restore`, or
   * `users.undo` for one that takes another back.
   */
  readonly kind: string;
  /** What is done to each record. */
  readonly op: string;
  /** Where it is. */
  readonly state: "queued" | "running" | "cancelling" | "succeeded" | "failed" | "cancelled";
  /** Records that it is about, as counted when it began. */
  readonly total: number;
  /** Records that it is done with. */
  readonly done: number;
  /** Those of them that were there and matched. */
  readonly matched: number;
  /** Records that it changed. */
  readonly affected: number;
  /** Records that limits kept as they are: their own, or their owner's. */
  readonly blocked: number;
  /** Records that were refused for another reason, or are not there. */
  readonly failed: number;
  /** The first hundred that were blocked or failed. */
  readonly problems: readonly JobProblem[];
  /** Unix seconds at which it was started. */
  readonly createdAt: number;
  /** Unix seconds at which its first step began; 0: it waits. */
  readonly startedAt: number;
  /** Unix seconds at which it ended; 0: it has not. */
  readonly finishedAt: number;
  /** The account that started it. */
  readonly adminId: number;
  /** That account's name, or its token's. */
  readonly actor: string;
  /** Why it stopped before its end; empty while nothing is wrong. */
  readonly error: string;
  /** Unix seconds until which it can be taken back; 0: it cannot. */
  readonly undoUntil: number;
  /** The job that takes it back; 0: none. */
  readonly undoneBy: number;
  /** The job that it takes back; 0: none. */
  readonly undoes: number;
};

/** One page of a list. */
export type JobPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Job[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type JobProblem = {
  /** The record's id; in an import its line, in accounts from a pattern its place. */
  readonly id: number;
  /** Of an import: the line of the file, from 1. */
  readonly line?: number;
  /** The record's name, where it has one that the caller may see. */
  readonly name?: string;
  /** Why it was left as it is. */
  readonly error: string;
  /** The same for programs. */
  readonly code: string;
  /** The first field that was refused. */
  readonly field?: string;
  /** Of an import: what was read of that field; absent for secrets. */
  readonly value?: string;
  /** Each field that was refused, the first five. */
  readonly issues?: readonly {
    /** The field. */
    readonly path: string;
    /** What is wrong with it. */
    readonly message: string;
    /** The rule that it broke. */
    readonly code?: string;
    /** What the rule says beside its name. */
    readonly values?: readonly (string | number)[];
  }[];
};

export type JobStarted = {
  /** The job's id. */
  readonly job: number;
};

export type JournalEntry = {
  /** The number of the transition, from 1. */
  readonly seq: number;
  /** Unix seconds. */
  readonly at: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** The event. */
  readonly event: string;
  /** The state before; null: it was new. */
  readonly from: string | null;
  /** The state after. */
  readonly to: string;
  /** Who or what caused it. */
  readonly actor: string;
  /** What it has begun. */
  readonly effects: readonly string[];
  /** Milliseconds that it was in the state before. */
  readonly took: number;
  /** Of each part of what it remembers the old and the new value. */
  readonly changed: { readonly [name: string]: readonly unknown[] };
};

/** One page of a list. */
export type JournalEntryPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly JournalEntry[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type LinkMyIdentityBody = {
  /** The id of the identity provider. */
  readonly provider: number;
  /**
   * This panel's `…/login/oidc/callback`, under the name and prefix by which the browser comes back.
   * The provider is told its own address below it, unless it has the shared one.
   */
  readonly redirectUri: string;
  /** The account's own password, as a proof. */
  readonly password: string;
};

export type ListBansAnswer = readonly Ban[];

/** One page of a list, or what some requests are answered instead. */
export type ListEventsAnswer = EventEnvelopePage | EventLogPage;

export type ListInboundFrontsAnswer = readonly Front[];

export type ListJobUsersAnswer = readonly GeneratedUser[];

export type ListLoginProvidersAnswer = readonly OidcButton[];

export type ListMyIdentitiesAnswer = readonly OidcLink[];

export type ListMySessionsAnswer = readonly AdminSession[];

export type ListUserAddressesAnswer = readonly UserAddress[];

export type ListUserAppConfigsAnswer = readonly UserAppConfig[];

export type ListUserConnectionsAnswer = readonly UserConnections[];

export type ListUserDevicesAnswer = readonly UserDevice[];

export type ListUserSubRequestsAnswer = readonly SubRequest[];

export type LogInAnswer = Me | MfaPending;

export type LogInBody = {
  /** The name to sign in with. */
  readonly username: string;
  /** The account's password. */
  readonly password: string;
  /** Keep the session after the browser is closed; `false` where it is left out. */
  readonly remember?: boolean;
};

export type LogInWithCodeBody = {
  /** The token that `POST /login` gave. */
  readonly pending: string;
  /** Six digits of the authenticator, or a recovery code. */
  readonly code: string;
};

export type Machine = {
  /** The kind of actors. */
  readonly kind: string;
  /** The version of the chart. */
  readonly version: number;
  /** What it is for, in words. */
  readonly description: string;
  /** The chart, as XState writes it. */
  readonly definition: unknown;
  /** SHA-256 of the chart: another one is another chart. */
  readonly digest: string;
  /** Milliseconds of each delay; null: it depends on the actor. */
  readonly delays: { readonly [name: string]: number | null };
  /** Events that anybody may send by hand. */
  readonly safe: readonly string[];
};

/** One page of a list. */
export type MachinePage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Machine[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type MakePasswordAnswer = {
  /** The password that was made. */
  readonly password: string;
};

export type MakeRealityKeyPairAnswer = {
  /** The private key, in base64. */
  readonly privateKey: string;
  /** The public key, in base64. */
  readonly publicKey: string;
  /** The short id, in hex. */
  readonly shortId: string;
};

export type MakeShadowsocksKeyAnswer = {
  /** The key, in base64. */
  readonly key: string;
};

export type MakeShadowsocksKeyBody = {
  /** The method of Shadowsocks that the key is for. */
  readonly method: string;
};

export type MakeUuidAnswer = {
  /** The UUID that was made. */
  readonly uuid: string;
};

export type MakeWireguardKeyPairAnswer = {
  /** The private key, in base64. */
  readonly privateKey: string;
  /** The public key, in base64. */
  readonly publicKey: string;
};

export type Me = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username: string;
  /** The name of the role. */
  readonly role: string;
  /** The tier that the role narrows. */
  readonly base: "sudo" | "admin" | "resale";
  /** Whether the account owns the panel. */
  readonly owner: boolean;
  /** Scopes that are granted. A `:write` scope holds the `:read` one. */
  readonly scopes: readonly (
    | "users:read"
    | "users:write"
    | "nodes:read"
    | "nodes:write"
    | "nodes:install"
    | "tunnels:read"
    | "tunnels:write"
    | "templates:read"
    | "templates:write"
    | "pool:read"
    | "pool:write"
    | "certificates:read"
    | "certificates:write"
    | "settings:read"
    | "settings:write"
    | "stats:read"
    | "tools:write"
    | "admins:write"
    | "tokens:write"
    | "license:write"
    | "backup:read"
    | "backup:write"
    | "backup:deliver"
    | "security:read"
    | "security:write"
    | "webhooks:read"
    | "webhooks:write"
    | "services:read"
    | "services:write"
  )[];
  /** What the dashboard shows, as its pages wrote it. Null: never chosen. */
  readonly dashboardTiles: string | null;
  /** The panel's time zone, an IANA name. */
  readonly timezone: string;
  /** What the request came with. */
  readonly auth: "session" | "token";
  /** Whether two-factor is on. */
  readonly twoFactor: boolean;
  /** Unix seconds until which sensitive routes are open to this session. 0: they are not. */
  readonly confirmedUntil: number;
  /** Whether it creates users from plans alone. */
  readonly plansOnly: boolean;
  /** Plans that are granted to it, where `plansOnly` is on. An id that names no plan grants nothing. */
  readonly planIds: readonly number[];
  /** Whether it only reads users. */
  readonly usersReadOnly: boolean;
  /** A reseller's allowance; left out of other accounts. */
  readonly allowance?: Allowance;
};

export type MfaPending = {
  /** The token to send with the code to `POST /login/mfa`. It is good for five wrong codes. */
  readonly pending: string;
  /** Unix seconds at which the sign-in is given up. */
  readonly expiresAt: number;
};

/**
 * What a person chose of the pages: views, columns, tiles, language, calendar, theme. The pages'
 * own matter.
 */
export type MyInterface = { readonly [name: string]: unknown };

export type Node = {
  /** What people call it. */
  readonly name: string;
  /** The host name or IP address of the node's agent. */
  readonly address: string;
  /** The port of the node's agent. */
  readonly port: number;
  /** A note of one line; empty: none. */
  readonly remark: string;
  /**
   * Where clients reach the node: addresses, or `label|address`, between commas; the first is the
   * main one. Empty: `address`.
   */
  readonly linkAddress: string;
  /** Whether the panel runs the agent itself. */
  readonly isLocal: boolean;
  /** The node's own route, in place of its template's; null: the template's. */
  readonly routing: { readonly [name: string]: unknown } | null;
  /** The template that the node serves; 0 or null: none. */
  readonly templateId: number | null;
  /** What a byte on this node counts; 0 counts as 1. */
  readonly multiplier: number;
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /** Bytes of a period after which the node switches off; 0: no limit. */
  readonly limitBytes: number;
  /** How often the limit begins again; empty: never. */
  readonly limitPeriod: "" | "weekly" | "monthly" | "yearly";
  /**
   * The day on which a period begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years; 0: the
   * first.
   */
  readonly limitStartDay: number;
  /** The month in which a year begins, 1 to 12; 0: the first. */
  readonly limitStartMonth: number;
  /** Which certificate stands in where configuration names none; empty: none. */
  readonly fallbackCertMode: "" | "node" | "panel";
  /** The panel's certificate, where the mode is `panel`; 0 or null: none. */
  readonly fallbackCertId: number | null;
  /** The host to install on; empty: `address`. */
  readonly sshHost: string;
  /** The port of SSH there; 0: 22. */
  readonly sshPort: number;
  /** The user of SSH there; empty: `root`. */
  readonly sshUser: string;
  /** The key of SSH; 0 or null: the default one. */
  readonly sshKeyId: number | null;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** Whether the licence covers the node. One that it does not cover serves nobody. */
  readonly licensed: boolean;
  /** How the node stands. */
  readonly status: "connecting" | "connected" | "error" | "disabled";
  /** Why the node does not work; empty while it does. */
  readonly message: string;
  /** What of its configuration it does not run, for people. */
  readonly warnings: readonly string[];
  /** The same for programs, in the same order. */
  readonly notices: readonly NodeNotice[];
  /** The version of the proxy engine; empty: not known. */
  readonly coreVersion: string;
  /** Whether its limit has switched it off. */
  readonly limitDisabled: boolean;
  /** Bytes in this period; 0 without a limit. */
  readonly periodUsed: number;
  /** Unix seconds at which the period began; 0 without a limit. */
  readonly periodStart: number;
  /** Users with traffic in the last 90 seconds; absent while that is not known. */
  readonly online?: number;
  /** What the node said last; absent where it has said nothing. */
  readonly live?: NodeLive;
  /** Bytes that users sent through it. */
  readonly up: number;
  /** Bytes that users received through it. */
  readonly down: number;
  /** Whether the panel's key is on the host. */
  readonly sshKeyInstalled: boolean;
  /** How the agent was installed: `docker`, `podman`, `containerd`, `lxc`, `linux`; empty: not known. */
  readonly setup: string;
  /** The processor; empty: not known. */
  readonly arch: string;
  /** The agent's version; empty: not known. */
  readonly nodeVersion: string;
  /** Unix seconds of the agent's last report; 0: never. */
  readonly infoSeenAt: number;
  /** Unix seconds of the last word of its agent; 0: none was heard. */
  readonly heardAt: number;
  /** Users with traffic by its last word. */
  readonly heardOnline: number;
  /** Unix seconds of the last traffic that it told of; 0: none. */
  readonly usedAt: number;
  /**
   * Whether it serves users, apart from whether the panel reaches it: one that is out of reach may
   * serve on.
   */
  readonly serves: "yes" | "no" | "unknown";
  /** Unix seconds since which its status is what it is. */
  readonly lastStatusChange: number;
  /**
   * Unix seconds since which it stands as it does. Of one that should serve and does not: since
   * when.
   */
  readonly since: number;
  /** Failed attempts since then. */
  readonly attempts: number;
  /** Unix seconds of the next attempt by itself; 0: there is none. */
  readonly nextAttemptAt: number;
  /**
   * Number of the state that it should run, once it is on. It is higher than `applied` while its
   * agent lacks something; once `applied` has reached it, the agent runs all that was wanted when it
   * was read.
   */
  readonly revision: number;
  /** Number of the state that its agent acknowledged last; 0: none. */
  readonly applied: number;
  /** Unix seconds of when its agent acknowledged it; 0: never. */
  readonly appliedAt: number;
  /** What keeps it from serving; null while nothing does. */
  readonly cause: NodeCause | null;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /** Fields whose stored value may not be written any more. Nodes do not run the record. */
  readonly forbidden: readonly string[];
};

export type NodeCause = {
  /** What keeps the node from serving. */
  readonly code:
    | "connection_refused"
    | "timed_out"
    | "no_route"
    | "unknown_name"
    | "connection_cut"
    | "other_program"
    | "no_agent"
    | "unreachable"
    | "no_certificate"
    | "no_greeting"
    | "late_configuration"
    | "not_taken"
    | "silent"
    | "not_connected"
    | "no_answer"
    | "unsupported"
    | "misbehaved"
    | "ended"
    | "failed"
    | "refused"
    | "duplicate"
    | "mismatched"
    | "off"
    | "limit"
    | "licence";
  /** Values that belong to the code. */
  readonly values: readonly (string | number)[];
  /** The same, for people. */
  readonly detail: string;
};

/**
 * What `node.connected` tells: a node started answering; warnings lists what it is not running,
 * notices the same as codes.
 */
export type NodeConnectedData = {
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** How the node stands. */
  readonly status?: "connecting" | "connected" | "error" | "disabled";
  /** A sentence for people; empty: nothing to say. */
  readonly message?: string;
  /** What of its configuration it does not run, for people. */
  readonly warnings?: readonly string[];
  /** The same for programs, in the same order. */
  readonly notices?: readonly NodeNotice[];
};

/**
 * The event `node.connected`: a node started answering; warnings lists what it is not running,
 * notices the same as codes.
 */
export type NodeConnectedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "node.connected";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: NodeConnectedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type NodeConnections = {
  /** The node's id. */
  readonly nodeId: number;
  /** Whether the node's engine tells of its sessions. */
  readonly supported: boolean;
  /** Whether there are more than are listed. */
  readonly truncated: boolean;
  /** Open sessions in all. */
  readonly total: number;
  /** Open sessions by inbound. */
  readonly inbounds: readonly {
    /** The tag. */
    readonly tag: string;
    /** Open sessions. */
    readonly sessions: number;
  }[];
  /** Open sessions by outbound. */
  readonly outbounds: readonly {
    /** The tag. */
    readonly tag: string;
    /** Open sessions. */
    readonly sessions: number;
  }[];
  /** The sessions. */
  readonly rows: readonly {
    /** Names the session on its node. */
    readonly id: string;
    /** The tag of the inbound. */
    readonly inbound: string;
    /** The tag of the outbound. */
    readonly outbound: string;
    /** What carries it. */
    readonly network: "tcp" | "udp";
    /** The address and port that it comes from. */
    readonly source: string;
    /** Where it goes. */
    readonly destination: string;
    /** Bytes sent. */
    readonly up: number;
    /** Bytes received. */
    readonly down: number;
    /** Unix seconds at which it began. */
    readonly startedAt: number;
  }[];
};

/** A new node. Absent fields are 0, empty or off; `enabled` is on and `multiplier` 1. */
export type NodeCreate = {
  /** What people call it. */
  readonly name: string;
  /** The host name or IP address of the node's agent. */
  readonly address: string;
  /** The port of the node's agent. */
  readonly port: number;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /**
   * Where clients reach the node: addresses, or `label|address`, between commas; the first is the
   * main one. Empty: `address`.
   */
  readonly linkAddress?: string;
  /** Whether the panel runs the agent itself. */
  readonly isLocal?: boolean;
  /** The node's own route, in place of its template's; null: the template's. */
  readonly routing?: { readonly [name: string]: unknown } | null;
  /** The template that the node serves; 0 or null: none. */
  readonly templateId?: number | null;
  /** What a byte on this node counts; 0 counts as 1. */
  readonly multiplier?: number;
  /** Whether it is switched on. */
  readonly enabled?: boolean;
  /** Bytes of a period after which the node switches off; 0: no limit. */
  readonly limitBytes?: number;
  /** How often the limit begins again; empty: never. */
  readonly limitPeriod?: "" | "weekly" | "monthly" | "yearly";
  /**
   * The day on which a period begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years; 0: the
   * first.
   */
  readonly limitStartDay?: number;
  /** The month in which a year begins, 1 to 12; 0: the first. */
  readonly limitStartMonth?: number;
  /** Which certificate stands in where configuration names none; empty: none. */
  readonly fallbackCertMode?: "" | "node" | "panel";
  /** The panel's certificate, where the mode is `panel`; 0 or null: none. */
  readonly fallbackCertId?: number | null;
  /** The host to install on; empty: `address`. */
  readonly sshHost?: string;
  /** The port of SSH there; 0: 22. */
  readonly sshPort?: number;
  /** The user of SSH there; empty: `root`. */
  readonly sshUser?: string;
  /** The key of SSH; 0 or null: the default one. */
  readonly sshKeyId?: number | null;
};

/**
 * What `node.disconnected` tells: a node stopped answering; message is the error, cause the same
 * as a code with values.
 */
export type NodeDisconnectedData = {
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** How the node stands. */
  readonly status?: "connecting" | "connected" | "error" | "disabled";
  /** A sentence for people; empty: nothing to say. */
  readonly message?: string;
  /** What of its configuration it does not run, for people. */
  readonly warnings?: readonly string[];
  /** The same for programs, in the same order. */
  readonly notices?: readonly NodeNotice[];
  /** What went wrong, for programs; null where it has no code. */
  readonly cause?: NodeCause;
};

/**
 * The event `node.disconnected`: a node stopped answering; message is the error, cause the same as
 * a code with values.
 */
export type NodeDisconnectedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "node.disconnected";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: NodeDisconnectedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `node.disk_high` tells: the root filesystem crossed the disk threshold; once per crossing. */
export type NodeDiskHighData = {
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** Which resource is nearly used up. */
  readonly resource?: string;
  /** How much of it is used, in percent. */
  readonly usedPercent?: number;
  /** The threshold that was crossed. */
  readonly threshold?: number;
  /** How much of it is used. */
  readonly used?: number;
  /** Bytes that there are. */
  readonly total?: number;
};

/** The event `node.disk_high`: the root filesystem crossed the disk threshold; once per crossing. */
export type NodeDiskHighEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "node.disk_high";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: NodeDiskHighData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `node.disk_recovered` tells: the root filesystem fell back under the threshold by at least
 * five points.
 */
export type NodeDiskRecoveredData = {
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** Which resource is nearly used up. */
  readonly resource?: string;
  /** How much of it is used, in percent. */
  readonly usedPercent?: number;
  /** The threshold that was crossed. */
  readonly threshold?: number;
  /** How much of it is used. */
  readonly used?: number;
  /** Bytes that there are. */
  readonly total?: number;
};

/**
 * The event `node.disk_recovered`: the root filesystem fell back under the threshold by at least
 * five points.
 */
export type NodeDiskRecoveredEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "node.disk_recovered";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: NodeDiskRecoveredData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** A node's readings over a range. */
export type NodeHealth = {
  /** Unix seconds at which the range begins; together with `end`. */
  readonly start: number;
  /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
  readonly end: number;
  /** Seconds of one point. */
  readonly step: number;
  /** The share of the known time in which the node served; null: nothing is known. */
  readonly uptimePercent: number | null;
  /** The steps of which something is known, the oldest first. */
  readonly points: readonly NodeHealthPoint[];
  /** The range in parts of one state. */
  readonly bar: readonly NodeHealthBar[];
};

export type NodeHealthBar = {
  /** Unix seconds at which the part begins. */
  readonly start: number;
  /** Unix seconds at which the part ends. */
  readonly end: number;
  /** How the node stood; `partial`: up and down by turns. */
  readonly state: "up" | "down" | "partial" | "unknown";
};

/** The means of one step. */
export type NodeHealthPoint = {
  /** Unix seconds at which the step begins. */
  readonly at: number;
  /** The share of the known time of the step in which the node served, 0 to 1. */
  readonly up: number;
  /** Use of the processors, in percent. */
  readonly cpuPercent: number | null;
  /** Load of the last minute. */
  readonly load1: number | null;
  /** Bytes of memory in use. */
  readonly memoryUsed: number | null;
  /** Bytes of memory. */
  readonly memoryTotal: number | null;
  /** Bytes of the disk in use. */
  readonly diskUsed: number | null;
  /** Bytes of the disk. */
  readonly diskTotal: number | null;
  /** Accounts that were online. */
  readonly online: number | null;
  /** Bytes a second that are sent. */
  readonly upRate: number | null;
  /** Bytes a second that are received. */
  readonly downRate: number | null;
};

/**
 * What `node.limit_reached` tells: the periodic traffic limit was reached and the node switched
 * off.
 */
export type NodeLimitReachedData = {
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** Bytes that were used. */
  readonly used?: number;
  /** Bytes that are allowed. */
  readonly limit?: number;
  /** How often the limit begins again; empty: never. */
  readonly period?: "" | "weekly" | "monthly" | "yearly";
};

/**
 * The event `node.limit_reached`: the periodic traffic limit was reached and the node switched
 * off.
 */
export type NodeLimitReachedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "node.limit_reached";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: NodeLimitReachedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type NodeLive = {
  /** Unix seconds of what it said. */
  readonly at: number;
  /** Seconds since its host started. */
  readonly uptime?: number;
  /** Load of the last minute. */
  readonly load1?: number;
  /** Load of the last 5 minutes. */
  readonly load5?: number;
  /** Load of the last 15 minutes. */
  readonly load15?: number;
  /** Use of the processors, in percent. */
  readonly cpuPercent?: number;
  /** Bytes of memory in use. */
  readonly memoryUsed?: number;
  /** Bytes of memory. */
  readonly memoryTotal?: number;
  /** Bytes of the disk in use. */
  readonly diskUsed?: number;
  /** Bytes of the disk. */
  readonly diskTotal?: number;
  /** Open connections. */
  readonly connections?: number;
  /** Bytes a second that are sent. */
  readonly upRate?: number;
  /** Bytes a second that are received. */
  readonly downRate?: number;
  /** How often the engine was started again. */
  readonly engineRestarts?: number;
  /** Connections that block outbounds refused, by outbound. */
  readonly rejected?: { readonly [name: string]: number };
};

/** What `node.memory_high` tells: memory crossed the threshold; once per crossing. */
export type NodeMemoryHighData = {
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** Which resource is nearly used up. */
  readonly resource?: string;
  /** How much of it is used, in percent. */
  readonly usedPercent?: number;
  /** The threshold that was crossed. */
  readonly threshold?: number;
  /** How much of it is used. */
  readonly used?: number;
  /** Bytes that there are. */
  readonly total?: number;
};

/** The event `node.memory_high`: memory crossed the threshold; once per crossing. */
export type NodeMemoryHighEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "node.memory_high";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: NodeMemoryHighData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `node.memory_recovered` tells: memory fell back under the threshold by at least five
 * points.
 */
export type NodeMemoryRecoveredData = {
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** Which resource is nearly used up. */
  readonly resource?: string;
  /** How much of it is used, in percent. */
  readonly usedPercent?: number;
  /** The threshold that was crossed. */
  readonly threshold?: number;
  /** How much of it is used. */
  readonly used?: number;
  /** Bytes that there are. */
  readonly total?: number;
};

/** The event `node.memory_recovered`: memory fell back under the threshold by at least five points. */
export type NodeMemoryRecoveredEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "node.memory_recovered";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: NodeMemoryRecoveredData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** The new place of the node. Absent fields are kept. */
export type NodeMove = {
  /** The host name or IP address of the node's agent. */
  readonly address: string;
  /** The port of the node's agent. */
  readonly port?: number;
  /** The host to install on; empty: `address`. */
  readonly sshHost?: string;
  /** The port of SSH there; 0: 22. */
  readonly sshPort?: number;
  /** The user of SSH there; empty: `root`. */
  readonly sshUser?: string;
};

export type NodeNotice = {
  /** What the notice is about, for programs. */
  readonly code: string;
  /** Values that belong to the code. */
  readonly values: readonly (string | number)[];
  /** The same, for people. */
  readonly detail: string;
  /** What kind of configuration it is about; empty: none. */
  readonly kind: "inbound" | "outbound" | "route" | "core" | "";
  /** The tag of what it is about; empty: none. */
  readonly tag: string;
};

/** The refusal `node_off`: the node is off; `cause` says why. */
export type NodeOff = {
  /** What was refused, for people. */
  readonly error: string;
  /** Which refusal this is. */
  readonly code: "node_off";
  /** Why a node did not do it; absent where no node is to blame. */
  readonly cause: NodeCause;
};

/** One page of a list. */
export type NodePage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Node[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

/**
 * What `node.rejections_high` tells: a block outbound refused more connections inside an hour than
 * the threshold; once per crossing.
 */
export type NodeRejectionsHighData = {
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The tag of the outbound. */
  readonly outbound?: string;
  /** Connections that were refused. */
  readonly count?: number;
  /** The threshold that was crossed. */
  readonly threshold?: number;
  /** The period in which they are counted. */
  readonly window?: string;
};

/**
 * The event `node.rejections_high`: a block outbound refused more connections inside an hour than
 * the threshold; once per crossing.
 */
export type NodeRejectionsHighEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "node.rejections_high";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: NodeRejectionsHighData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type NodeRepinned = {
  /** What people call it. */
  readonly name: string;
  /** The host name or IP address of the node's agent. */
  readonly address: string;
  /** The port of the node's agent. */
  readonly port: number;
  /** A note of one line; empty: none. */
  readonly remark: string;
  /**
   * Where clients reach the node: addresses, or `label|address`, between commas; the first is the
   * main one. Empty: `address`.
   */
  readonly linkAddress: string;
  /** Whether the panel runs the agent itself. */
  readonly isLocal: boolean;
  /** The node's own route, in place of its template's; null: the template's. */
  readonly routing: { readonly [name: string]: unknown } | null;
  /** The template that the node serves; 0 or null: none. */
  readonly templateId: number | null;
  /** What a byte on this node counts; 0 counts as 1. */
  readonly multiplier: number;
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /** Bytes of a period after which the node switches off; 0: no limit. */
  readonly limitBytes: number;
  /** How often the limit begins again; empty: never. */
  readonly limitPeriod: "" | "weekly" | "monthly" | "yearly";
  /**
   * The day on which a period begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years; 0: the
   * first.
   */
  readonly limitStartDay: number;
  /** The month in which a year begins, 1 to 12; 0: the first. */
  readonly limitStartMonth: number;
  /** Which certificate stands in where configuration names none; empty: none. */
  readonly fallbackCertMode: "" | "node" | "panel";
  /** The panel's certificate, where the mode is `panel`; 0 or null: none. */
  readonly fallbackCertId: number | null;
  /** The host to install on; empty: `address`. */
  readonly sshHost: string;
  /** The port of SSH there; 0: 22. */
  readonly sshPort: number;
  /** The user of SSH there; empty: `root`. */
  readonly sshUser: string;
  /** The key of SSH; 0 or null: the default one. */
  readonly sshKeyId: number | null;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** Whether the licence covers it. */
  readonly licensed: boolean;
  /** How the node stands. */
  readonly status: "connecting" | "connected" | "error" | "disabled";
  /** A sentence for people; empty: nothing to say. */
  readonly message: string;
  /** What of its configuration it does not run, for people. */
  readonly warnings: readonly string[];
  /** The same for programs, in the same order. */
  readonly notices: readonly NodeNotice[];
  /** The version of the proxy engine; empty: not known. */
  readonly coreVersion: string;
  /** Whether its limit has switched it off. */
  readonly limitDisabled: boolean;
  /** Bytes in this period; 0 without a limit. */
  readonly periodUsed: number;
  /** Unix seconds at which the period began; 0: there is none. */
  readonly periodStart: number;
  /** Users with traffic in the last 90 seconds; absent while that is not known. */
  readonly online?: number;
  /** What the node said last; absent where it has said nothing. */
  readonly live?: NodeLive;
  /** Bytes that users sent through it. */
  readonly up: number;
  /** Bytes that users received through it. */
  readonly down: number;
  /** Whether the panel's key is on the host. */
  readonly sshKeyInstalled: boolean;
  /** How the agent was installed: `docker`, `podman`, `containerd`, `lxc`, `linux`; empty: not known. */
  readonly setup: string;
  /** The processor; empty: not known. */
  readonly arch: string;
  /** The agent's version; empty: not known. */
  readonly nodeVersion: string;
  /** Unix seconds of the agent's last report; 0: never. */
  readonly infoSeenAt: number;
  /** Unix seconds of the last word of its agent; 0: none was heard. */
  readonly heardAt: number;
  /** Users with traffic by its last word. */
  readonly heardOnline: number;
  /** Unix seconds of the last traffic that it told of; 0: none. */
  readonly usedAt: number;
  /**
   * Whether it serves users, apart from whether the panel reaches it: one that is out of reach may
   * serve on.
   */
  readonly serves: "yes" | "no" | "unknown";
  /** Unix seconds since which its status is what it is. */
  readonly lastStatusChange: number;
  /**
   * Unix seconds since which it stands as it does. Of one that should serve and does not: since
   * when.
   */
  readonly since: number;
  /** Failed attempts since then. */
  readonly attempts: number;
  /** Unix seconds of the next attempt by itself; 0: there is none. */
  readonly nextAttemptAt: number;
  /**
   * Number of the state that it should run, once it is on. It is higher than `applied` while its
   * agent lacks something; once `applied` has reached it, the agent runs all that was wanted when it
   * was read.
   */
  readonly revision: number;
  /** Number of the state that its agent acknowledged last; 0: none. */
  readonly applied: number;
  /** Unix seconds of when its agent acknowledged it; 0: never. */
  readonly appliedAt: number;
  /** What keeps it from serving; null while nothing does. */
  readonly cause: NodeCause | null;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /** Fields whose stored value may not be written any more. Nodes do not run the record. */
  readonly forbidden: readonly string[];
  /** SHA-256 of the key, in hex. */
  readonly fingerprint: string;
};

export type NodeReport = {
  /** Unix seconds at which the range begins; together with `end`. */
  readonly start: number;
  /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
  readonly end: number;
  /** The time zone in which days begin. */
  readonly zone: string;
  /** Bytes sent. */
  readonly up: number;
  /** Bytes received. */
  readonly down: number;
  /** Rows that were restored. */
  readonly rows: readonly NodeReportRow[];
};

export type NodeReportRow = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** Bytes sent. */
  readonly up: number;
  /** Bytes received. */
  readonly down: number;
  /** The share of all that moved, 0 to 1. */
  readonly share: number;
  /** What a byte on this node counts; 0 counts as 1. */
  readonly multiplier: number | null;
  /** Bytes of a period after which the node switches off; 0: no limit. */
  readonly limitBytes: number | null;
  /** Bytes in this period; 0 without a limit. */
  readonly periodUsed: number | null;
  /** How the node stands. */
  readonly status: string | null;
};

export type NodeStats = {
  /** Unix seconds at which the range begins; together with `end`. */
  readonly start: number;
  /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
  readonly end: number;
  /** Rows that were restored. */
  readonly rows: readonly UserTraffic[];
  /** There are more rows than `limit`, which is 100 unless said. */
  readonly more: boolean;
};

export type NodeSync = {
  /** Number of the state that the agent acknowledged: the node's `applied`. */
  readonly revision: number;
  /** Whether its agent runs all of it: no inbound is left out. */
  readonly applied: boolean;
  /** What of its configuration it does not run, for people. */
  readonly warnings: readonly string[];
  /** The same for programs, in the same order. */
  readonly notices: readonly NodeNotice[];
};

export type NodeTraffic = {
  /** The node's id. */
  readonly nodeId: number;
  /** What people call it. */
  readonly name: string;
  /** Bytes sent. */
  readonly up: number;
  /** Bytes received. */
  readonly down: number;
};

export type NodeUpdate = {
  /** What people call it. */
  readonly name?: string;
  /** The host name or IP address of the node's agent. */
  readonly address?: string;
  /** The port of the node's agent. */
  readonly port?: number;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /**
   * Where clients reach the node: addresses, or `label|address`, between commas; the first is the
   * main one. Empty: `address`.
   */
  readonly linkAddress?: string;
  /** Whether the panel runs the agent itself. */
  readonly isLocal?: boolean;
  /** The node's own route, in place of its template's; null: the template's. */
  readonly routing?: { readonly [name: string]: unknown } | null;
  /** The template that the node serves; 0 or null: none. */
  readonly templateId?: number | null;
  /** What a byte on this node counts; 0 counts as 1. */
  readonly multiplier?: number;
  /** Whether it is switched on. */
  readonly enabled?: boolean;
  /** Bytes of a period after which the node switches off; 0: no limit. */
  readonly limitBytes?: number;
  /** How often the limit begins again; empty: never. */
  readonly limitPeriod?: "" | "weekly" | "monthly" | "yearly";
  /**
   * The day on which a period begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years; 0: the
   * first.
   */
  readonly limitStartDay?: number;
  /** The month in which a year begins, 1 to 12; 0: the first. */
  readonly limitStartMonth?: number;
  /** Which certificate stands in where configuration names none; empty: none. */
  readonly fallbackCertMode?: "" | "node" | "panel";
  /** The panel's certificate, where the mode is `panel`; 0 or null: none. */
  readonly fallbackCertId?: number | null;
  /** The host to install on; empty: `address`. */
  readonly sshHost?: string;
  /** The port of SSH there; 0: 22. */
  readonly sshPort?: number;
  /** The user of SSH there; empty: `root`. */
  readonly sshUser?: string;
  /** The key of SSH; 0 or null: the default one. */
  readonly sshKeyId?: number | null;
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

/**
 * What `node.usage_refused` tells: usage that a node told of was not counted; once an hour per
 * node, with all since; code is the one with most bytes.
 */
export type NodeUsageRefusedData = {
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The reason with most bytes. */
  readonly code?: "not_served" | "unknown_inbound" | "too_fast";
  /** Users that the refused usage names. */
  readonly users?: number;
  /** How many bytes. */
  readonly bytes?: number;
};

/**
 * The event `node.usage_refused`: usage that a node told of was not counted; once an hour per
 * node, with all since; code is the one with most bytes.
 */
export type NodeUsageRefusedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "node.usage_refused";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: NodeUsageRefusedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type OidcButton = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** The address of a picture, or empty. */
  readonly icon: string;
};

export type OidcLink = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The id of the identity provider. */
  readonly provider: number;
  /** What the provider is called. */
  readonly providerName: string;
  /** Who the account is at the provider. */
  readonly subject: string;
  /** The mail address that the provider told; empty: none. */
  readonly email: string;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** 0 = never */
  readonly lastUsedAt: number;
};

export type OidcProvider = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** `oidc`: it finds its own addresses; `oauth2`: they are named here. */
  readonly kind: "oidc" | "oauth2";
  /** The address of an `oidc` provider. */
  readonly issuer: string;
  /** What the provider calls this panel. */
  readonly clientId: string;
  /** Whether a secret is stored. */
  readonly clientSecretSet: boolean;
  /** Scopes to ask the provider for, between single spaces. Empty: what its kind needs. */
  readonly scopes: string;
  /** Where an `oauth2` provider asks people. */
  readonly authorizationUrl: string;
  /** Where an `oauth2` provider gives tokens. */
  readonly tokenUrl: string;
  /** Where an `oauth2` provider says who signed in. */
  readonly userUrl: string;
  /** The member of its answer that names the person; dots lead into inner objects. Empty: `sub`. */
  readonly subjectField: string;
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /** Place in the list, low first; 0 where it is left out. */
  readonly sortOrder: number;
  /** The address of a picture, or empty. */
  readonly icon: string;
  /**
   * Whether the provider sends people back to the address that all shared before each had its own.
   * It can be switched off, once the provider knows `…/login/oidc/callback/{id}`, and not on.
   */
  readonly sharedCallback: boolean;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
};

/** A new identity provider. What is left out is 0 or empty, `enabled` is on. */
export type OidcProviderCreate = {
  /** What people call it. */
  readonly name: string;
  /** `oidc`: it finds its own addresses; `oauth2`: they are named here. */
  readonly kind: "oidc" | "oauth2";
  /** What the provider calls this panel. */
  readonly clientId: string;
  /** The address of an `oidc` provider. */
  readonly issuer?: string;
  /** The panel's secret at the provider. In a change: empty or left out keeps it, null removes it. */
  readonly clientSecret?: string;
  /** Scopes to ask the provider for, between single spaces. Empty: what its kind needs. */
  readonly scopes?: string;
  /** Where an `oauth2` provider asks people. */
  readonly authorizationUrl?: string;
  /** Where an `oauth2` provider gives tokens. */
  readonly tokenUrl?: string;
  /** Where an `oauth2` provider says who signed in. */
  readonly userUrl?: string;
  /** The member of its answer that names the person; dots lead into inner objects. Empty: `sub`. */
  readonly subjectField?: string;
  /** Whether it is switched on. */
  readonly enabled?: boolean;
  /** Place in the list, low first; 0 where it is left out. */
  readonly sortOrder?: number;
  /** The address of a picture, or empty. */
  readonly icon?: string;
};

/** One page of a list. */
export type OidcProviderPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly OidcProvider[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type OidcProviderTest = {
  /** Whether nothing was found wrong. */
  readonly ok: boolean;
  /** What was looked at, in this order. */
  readonly checks: readonly {
    /** What was looked at. */
    readonly check: "discovery" | "issuer" | "keys" | "authorization" | "token" | "user" | "redirect";
    /** Whether it is as it must be. */
    readonly ok: boolean;
    /** What was found, for programs. */
    readonly code:
      | "fine"
      | "address_refused"
      | "unreachable"
      | "status"
      | "no_json"
      | "other_issuer"
      | "no_keys"
      | "missing"
      | "plain_http"
      | "not_looked_at";
    /** What goes with the code: addresses, a status, a reason. */
    readonly values: readonly string[];
    /** The same in a sentence; of what is fine the address. */
    readonly text: string;
  }[];
};

/** Fields of an identity provider. What is left out is kept. */
export type OidcProviderUpdate = {
  /** What people call it. */
  readonly name?: string;
  /** `oidc`: it finds its own addresses; `oauth2`: they are named here. Kept where it is left out. */
  readonly kind?: "oidc" | "oauth2";
  /** What the provider calls this panel. */
  readonly clientId?: string;
  /** The address of an `oidc` provider. */
  readonly issuer?: string;
  /** The panel's secret at the provider. In a change: empty or left out keeps it, null removes it. */
  readonly clientSecret?: string | null;
  /** Scopes to ask the provider for, between single spaces. Empty: what its kind needs. */
  readonly scopes?: string;
  /** Where an `oauth2` provider asks people. */
  readonly authorizationUrl?: string;
  /** Where an `oauth2` provider gives tokens. */
  readonly tokenUrl?: string;
  /** Where an `oauth2` provider says who signed in. */
  readonly userUrl?: string;
  /** The member of its answer that names the person; dots lead into inner objects. Empty: `sub`. */
  readonly subjectField?: string;
  /** Whether it is switched on. */
  readonly enabled?: boolean;
  /** Place in the list, low first; 0 where it is left out. */
  readonly sortOrder?: number;
  /** The address of a picture, or empty. */
  readonly icon?: string;
  /**
   * Whether the provider sends people back to the address that all shared before each had its own.
   * It can be switched off, once the provider knows `…/login/oidc/callback/{id}`, and not on.
   */
  readonly sharedCallback?: boolean;
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

export type OidcStarted = {
  /** where the browser is sent to sign in */
  readonly url: string;
};

export type Ok = {
  /** `true`. */
  readonly ok: true;
};

export type Outbound = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What routes call it. */
  readonly tag: string;
  /** The protocol, or what it does. */
  readonly type:
    | "direct"
    | "block"
    | "socks"
    | "http"
    | "shadowsocks"
    | "vmess"
    | "vless"
    | "trojan"
    | "hysteria"
    | "hysteria2"
    | "tuic"
    | "anytls"
    | "shadowtls"
    | "ssh"
    | "selector"
    | "urltest";
  /** The fragment of configuration, in the form of the engine's own (docs/engines.md). */
  readonly config: { readonly [name: string]: unknown };
  /** A note of one line; empty: none. */
  readonly remark: string;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /** Fields whose stored value may not be written any more. Nodes do not run the record. */
  readonly forbidden: readonly string[];
};

/** A new outbound. What is left out is empty. */
export type OutboundCreate = {
  /** What routes call it. */
  readonly tag: unknown;
  /** The protocol, or what it does. */
  readonly type:
    | "direct"
    | "block"
    | "socks"
    | "http"
    | "shadowsocks"
    | "vmess"
    | "vless"
    | "trojan"
    | "hysteria"
    | "hysteria2"
    | "tuic"
    | "anytls"
    | "shadowtls"
    | "ssh"
    | "selector"
    | "urltest";
  /** The fragment of configuration, in the form of the engine's own (docs/engines.md). */
  readonly config?: { readonly [name: string]: unknown };
  /** A note of one line; empty: none. */
  readonly remark?: string;
};

/** One page of a list. */
export type OutboundPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Outbound[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type OutboundRecord = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The tag. */
  readonly tag: string;
  /** The type of the event. */
  readonly type: string;
  /** The fragment of configuration, in the form of the engine's own (docs/engines.md). */
  readonly config: { readonly [name: string]: unknown };
  /** A note of one line; empty: none. */
  readonly remark: string;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /** Fields whose stored value may not be written any more. Nodes do not run the record. */
  readonly forbidden: readonly string[];
  /** What uses it: a change of it changes them. */
  readonly usedBy: UsedBy;
};

/** Fields of an outbound. What is left out is kept. */
export type OutboundUpdate = {
  /** What routes call it. */
  readonly tag?: unknown;
  /** The protocol, or what it does. */
  readonly type?:
    | "direct"
    | "block"
    | "socks"
    | "http"
    | "shadowsocks"
    | "vmess"
    | "vless"
    | "trojan"
    | "hysteria"
    | "hysteria2"
    | "tuic"
    | "anytls"
    | "shadowtls"
    | "ssh"
    | "selector"
    | "urltest";
  /** The fragment of configuration, in the form of the engine's own (docs/engines.md). */
  readonly config?: { readonly [name: string]: unknown };
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

export type OwnCredentials = {
  /** The UUID, or the user name of SOCKS and HTTP. */
  readonly uuid?: string;
  /** The password or key. */
  readonly password?: string;
  /** Of Shadowsocks: the method that the password is for. */
  readonly method?: string;
};

export type OwnCredentialsBody = {
  /** The UUID, or the user name of SOCKS and HTTP; the common one where it is left out. */
  readonly uuid?: string;
  /** The password; the common one where it is left out. */
  readonly password?: string;
};

export type OwnShadowsocksBody = {
  /** The password, or the key of a 2022 method in base64. */
  readonly password: string;
  /** The method that it is for; on inbounds of another one the common credential holds. */
  readonly method:
    | "2022-blake3-aes-128-gcm"
    | "2022-blake3-aes-256-gcm"
    | "aes-128-gcm"
    | "aes-192-gcm"
    | "aes-256-gcm"
    | "chacha20-ietf-poly1305"
    | "xchacha20-ietf-poly1305";
};

/** What `panel.addon_recovered` tells: an unhealthy addon answered again. */
export type PanelAddonRecoveredData = {
  /** The addon's id. */
  readonly addonId?: number;
  /** The addon's short name. */
  readonly slug?: string;
  /** What people call it. */
  readonly name?: string;
  /** Whether the addon is signed. */
  readonly signed?: boolean;
};

/** The event `panel.addon_recovered`: an unhealthy addon answered again. */
export type PanelAddonRecoveredEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.addon_recovered";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelAddonRecoveredData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.addon_registered` tells: an addon was registered. */
export type PanelAddonRegisteredData = {
  /** The addon's id. */
  readonly addonId?: number;
  /** The addon's short name. */
  readonly slug?: string;
  /** What people call it. */
  readonly name?: string;
  /** Whether the addon is signed. */
  readonly signed?: boolean;
};

/** The event `panel.addon_registered`: an addon was registered. */
export type PanelAddonRegisteredEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.addon_registered";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelAddonRegisteredData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `panel.addon_removed` tells: an addon was removed with its token and webhook; the addon
 * itself is sent this first.
 */
export type PanelAddonRemovedData = {
  /** The addon's id. */
  readonly addonId?: number;
  /** The addon's short name. */
  readonly slug?: string;
  /** What people call it. */
  readonly name?: string;
  /** Whether the addon is signed. */
  readonly signed?: boolean;
};

/**
 * The event `panel.addon_removed`: an addon was removed with its token and webhook; the addon
 * itself is sent this first.
 */
export type PanelAddonRemovedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.addon_removed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelAddonRemovedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `panel.addon_unhealthy` tells: an addon's health path failed twice in a row; once per
 * crossing.
 */
export type PanelAddonUnhealthyData = {
  /** The addon's id. */
  readonly addonId?: number;
  /** The addon's short name. */
  readonly slug?: string;
  /** What people call it. */
  readonly name?: string;
  /** Whether the addon is signed. */
  readonly signed?: boolean;
  /** What went wrong, for people. */
  readonly error?: string;
};

/**
 * The event `panel.addon_unhealthy`: an addon's health path failed twice in a row; once per
 * crossing.
 */
export type PanelAddonUnhealthyEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.addon_unhealthy";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelAddonUnhealthyData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `panel.addon_update_waiting` tells: a newer signed addon version asks for more than it
 * holds.
 */
export type PanelAddonUpdateWaitingData = {
  /** The addon's id. */
  readonly addonId?: number;
  /** The addon's short name. */
  readonly slug?: string;
  /** What people call it. */
  readonly name?: string;
  /** Whether the addon is signed. */
  readonly signed?: boolean;
  /** The version that waits. */
  readonly version?: string;
};

/**
 * The event `panel.addon_update_waiting`: a newer signed addon version asks for more than it
 * holds.
 */
export type PanelAddonUpdateWaitingEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.addon_update_waiting";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelAddonUpdateWaitingData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.backup_done` tells: the scheduled backup wrote an archive. */
export type PanelBackupDoneData = {
  /** What people call it. */
  readonly name?: string;
  /** Bytes. */
  readonly size?: number;
};

/** The event `panel.backup_done`: the scheduled backup wrote an archive. */
export type PanelBackupDoneEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.backup_done";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelBackupDoneData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.backup_failed` tells: the scheduled backup failed; it is retried within the hour. */
export type PanelBackupFailedData = {
  /** What went wrong, for people. */
  readonly error?: string;
};

/** The event `panel.backup_failed`: the scheduled backup failed; it is retried within the hour. */
export type PanelBackupFailedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.backup_failed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelBackupFailedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.backup_upload_failed` tells: an archive did not reach a backup destination. */
export type PanelBackupUploadFailedData = {
  /** Where the archive was sent. */
  readonly destination?: string;
  /** What people call it. */
  readonly name?: string;
  /** What went wrong, for people. */
  readonly error?: string;
};

/** The event `panel.backup_upload_failed`: an archive did not reach a backup destination. */
export type PanelBackupUploadFailedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.backup_upload_failed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelBackupUploadFailedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `panel.cert_expiring` tells: an uploaded certificate is close to its end; once per
 * certificate.
 */
export type PanelCertExpiringData = {
  /** Whose certificate it is. */
  readonly kind?: string;
  /** The certificate's id. */
  readonly certificateId?: number;
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** Unix seconds at which the certificate ends. */
  readonly notAfter?: number;
};

/**
 * The event `panel.cert_expiring`: an uploaded certificate is close to its end; once per
 * certificate.
 */
export type PanelCertExpiringEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.cert_expiring";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelCertExpiringData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.cert_renew_failed` tells: a renewal failed; it is retried every six hours. */
export type PanelCertRenewFailedData = {
  /** Whose certificate it is. */
  readonly kind?: string;
  /** The certificate's id. */
  readonly certificateId?: number;
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** Unix seconds at which the certificate ends. */
  readonly notAfter?: number;
  /** What went wrong, for people. */
  readonly error?: string;
};

/** The event `panel.cert_renew_failed`: a renewal failed; it is retried every six hours. */
export type PanelCertRenewFailedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.cert_renew_failed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelCertRenewFailedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.cert_renewed` tells: a managed certificate was renewed. */
export type PanelCertRenewedData = {
  /** Whose certificate it is. */
  readonly kind?: string;
  /** The certificate's id. */
  readonly certificateId?: number;
  /** The node's id. */
  readonly nodeId?: number;
  /** What people call it. */
  readonly name?: string;
  /** Unix seconds at which the certificate ends. */
  readonly notAfter?: number;
};

/** The event `panel.cert_renewed`: a managed certificate was renewed. */
export type PanelCertRenewedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.cert_renewed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelCertRenewedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `panel.crashed` tells: an internal error was caught while answering a request; at most once
 * per route and message every five minutes.
 */
export type PanelCrashedData = {
  /** The method of the request. */
  readonly method?: string;
  /** The path of the request. */
  readonly path?: string;
  /** What went wrong, for people. */
  readonly error?: string;
  /** The version that runs. */
  readonly version?: string;
};

/**
 * The event `panel.crashed`: an internal error was caught while answering a request; at most once
 * per route and message every five minutes.
 */
export type PanelCrashedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.crashed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelCrashedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type PanelInfo = {
  /** The panel's version. */
  readonly version: string;
  /** The commit of its source; empty: not known. */
  readonly commit: string;
  /** The version of Node. */
  readonly node: string;
  /** The operating system. */
  readonly platform: string;
  /** The processor. */
  readonly arch: string;
  /** The name of its machine. */
  readonly hostname: string;
  /** Unix seconds at which the panel started. */
  readonly startedAt: number;
  /** Seconds since then. */
  readonly uptime: number;
  /** The number of its process. */
  readonly pid: number;
  /** Bytes of memory. */
  readonly memory: {
    /** Bytes that the process holds. */
    readonly rss: number;
    /** Bytes of its objects. */
    readonly heapUsed: number;
    /** Bytes of the machine. */
    readonly total: number;
    /** Bytes of the machine that are free. */
    readonly free: number;
  };
  /** Load of the last 1, 5 and 15 minutes. */
  readonly load: readonly number[];
  /** Processors. */
  readonly cpus: number;
  /** The file system of the data directory. */
  readonly disk: {
    /** Bytes that are free for the panel. */
    readonly free: number;
    /** Bytes in all. */
    readonly total: number;
  };
  /** The database. */
  readonly database: {
    /** Which one it is. */
    readonly kind: "sqlite" | "postgresql";
    /** Its version. */
    readonly version: string;
    /** Bytes that it takes. */
    readonly size: number;
  };
  /**
   * A proxy that is not among `trusted_proxies` and names its visitors, the busiest of the last day
   * at this process; null: none. All its visitors count as one address.
   */
  readonly untrustedProxy: {
    /** The address of its connections. */
    readonly address: string;
    /** Requests since the panel started. */
    readonly requests: number;
    /** Unix seconds of the last one. */
    readonly lastSeenAt: number;
  } | null;
  /** Places of `sub_listen` that the answering process cannot listen on; it tries again by itself. */
  readonly notListening: readonly {
    /** The place, as `host:port`. */
    readonly place: string;
    /** Why: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, or a sentence. */
    readonly fault: string;
  }[];
  /** How many there are. */
  readonly counts: {
    /** Users. */
    readonly users: number;
    /** Nodes. */
    readonly nodes: number;
    /** Users with traffic in the last 90 seconds. */
    readonly online: number;
    /** Tunnels. */
    readonly tunnels: number;
  };
  /** Actors by kind and state. */
  readonly actors: { readonly [name: string]: { readonly [name: string]: number } };
  /** Archives at a glance, for main admins; null for others. */
  readonly backup: {
    /** Whether it is switched on. */
    readonly enabled: boolean;
    /** Unix seconds of the newest archive; null: there is none. */
    readonly lastAt: number | null;
    /** How its last archive went; null: there was none yet. */
    readonly lastResult: {
      /** Unix seconds. */
      readonly at: number;
      /** `true`. */
      readonly ok: boolean;
      /** What went wrong, for people. */
      readonly error: string;
      /** What people call it. */
      readonly name: string;
      /** Bytes. */
      readonly size: number;
    } | null;
    /**
     * Unix seconds at which its next archive is due, by the newest one that is there; null while it is
     * off.
     */
    readonly nextDue: number | null;
    /** What went wrong, for people. */
    readonly error: string;
  } | null;
};

/** What `panel.ip_banned` tells: login protection banned an address. */
export type PanelIpBannedData = {
  /** The address that the request came from. */
  readonly ip?: string;
  /** Unix seconds at which the ban ends. */
  readonly until?: number;
  /** Why the address was banned. */
  readonly reason?: string;
};

/** The event `panel.ip_banned`: login protection banned an address. */
export type PanelIpBannedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.ip_banned";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelIpBannedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `panel.license_changed` tells: the licence state changed (licensed, expired, free, or new
 * limits).
 */
export type PanelLicenseChangedData = {
  /** Whether there is a licence. */
  readonly licensed?: boolean;
  /** What it is now. */
  readonly reason?: string;
  /** What it was before. */
  readonly previousReason?: string;
  /** The licence. */
  readonly licenseId?: string;
  /** Its holder. */
  readonly issuedTo?: string;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiresAt?: number;
  /** What it allows. */
  readonly limits?: { readonly [name: string]: unknown };
};

/**
 * The event `panel.license_changed`: the licence state changed (licensed, expired, free, or new
 * limits).
 */
export type PanelLicenseChangedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.license_changed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelLicenseChangedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `panel.license_expiring` tells: the licence ends in 30, 14, 7 or 1 days; once per
 * threshold.
 */
export type PanelLicenseExpiringData = {
  /** The licence. */
  readonly licenseId?: string;
  /** Its holder. */
  readonly issuedTo?: string;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiresAt?: number;
  /** Whole days to the end. */
  readonly daysLeft?: number;
  /** The threshold that was crossed. */
  readonly threshold?: number;
};

/** The event `panel.license_expiring`: the licence ends in 30, 14, 7 or 1 days; once per threshold. */
export type PanelLicenseExpiringEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.license_expiring";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelLicenseExpiringData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `panel.license_unverified` tells: the licence has been unconfirmed for some days; deadline
 * is when it falls back to the free tier.
 */
export type PanelLicenseUnverifiedData = {
  /** The licence. */
  readonly licenseId?: string;
  /** Unix seconds at which it was last confirmed. */
  readonly verifiedAt?: number;
  /** Unix seconds at which the free limits hold. */
  readonly deadline?: number;
  /** Whole days to the end. */
  readonly daysLeft?: number;
};

/**
 * The event `panel.license_unverified`: the licence has been unconfirmed for some days; deadline
 * is when it falls back to the free tier.
 */
export type PanelLicenseUnverifiedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.license_unverified";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelLicenseUnverifiedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.ping` tells: a test event, sent to one subscriber whatever its filter. */
export type PanelPingData = {
  /** The webhook's id. */
  readonly subscriberId?: number;
  /** What people call it. */
  readonly name?: string;
  /** Who asked for it. */
  readonly by?: string;
};

/** The event `panel.ping`: a test event, sent to one subscriber whatever its filter. */
export type PanelPingEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.ping";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelPingData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.restore_applied` tells: a backup was restored; event ids restart from the backup's. */
export type PanelRestoreAppliedData = {
  /** Where the database from before was kept. */
  readonly superseded?: string;
  /** Tables that were restored. */
  readonly tables?: number;
  /** Rows that were restored. */
  readonly rows?: number;
};

/** The event `panel.restore_applied`: a backup was restored; event ids restart from the backup's. */
export type PanelRestoreAppliedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.restore_applied";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelRestoreAppliedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.ruleset_refresh_failed` tells: the hourly rule-set refresh failed. */
export type PanelRulesetRefreshFailedData = {
  /** What went wrong, for people. */
  readonly error?: string;
};

/** The event `panel.ruleset_refresh_failed`: the hourly rule-set refresh failed. */
export type PanelRulesetRefreshFailedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.ruleset_refresh_failed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelRulesetRefreshFailedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.settings_changed` tells: a panel-wide setting changed; its value is never carried. */
export type PanelSettingsChangedData = {
  /** The setting's key. */
  readonly setting?: string;
  /** Who or what caused it. */
  readonly actor?: string;
};

/** The event `panel.settings_changed`: a panel-wide setting changed; its value is never carried. */
export type PanelSettingsChangedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.settings_changed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelSettingsChangedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.setup_completed` tells: the setup wizard finished. */
export type PanelSetupCompletedData = {
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username?: string;
  /** Whether a restart follows. */
  readonly restart?: boolean;
};

/** The event `panel.setup_completed`: the setup wizard finished. */
export type PanelSetupCompletedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.setup_completed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelSetupCompletedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.started` tells: the panel came up; restored says that a restore was applied. */
export type PanelStartedData = {
  /** The version that runs. */
  readonly version?: string;
  /** Where it listens. */
  readonly listen?: string;
  /** Whether a backup was restored. */
  readonly restored?: boolean;
};

/** The event `panel.started`: the panel came up; restored says that a restore was applied. */
export type PanelStartedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.started";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelStartedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `panel.stopping` tells: clean shutdown. */
export type PanelStoppingData = {
  /** The version that ran. */
  readonly version?: string;
};

/** The event `panel.stopping`: clean shutdown. */
export type PanelStoppingEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.stopping";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelStoppingData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type PanelTrust = {
  /** The certificate as PEM. */
  readonly certificate: string;
  /** SHA-256 of the key, in hex. */
  readonly fingerprint: string;
};

/** What `panel.update_available` tells: a newer release exists; once per release. */
export type PanelUpdateAvailableData = {
  /** The newer version. */
  readonly version?: string;
  /** The version that runs. */
  readonly current?: string;
  /** Where it is. */
  readonly url?: string;
};

/** The event `panel.update_available`: a newer release exists; once per release. */
export type PanelUpdateAvailableEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "panel.update_available";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: PanelUpdateAvailableData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What an account starts with. Changing a plan changes no account. */
export type Plan = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What operators call the plan. */
  readonly name: string;
  /** A note; empty: none. */
  readonly desc: string;
  /** The place among the plans, the smallest first; the id decides between equal ones. */
  readonly sortOrder: number;
  /** Bytes that may be used; 0: no limit. */
  readonly volume: number;
  /** Days of a term; 0: without end. */
  readonly days: number;
  /** Whether the term begins with the first connection; else with the account. */
  readonly onFirstUse: boolean;
  /** Bytes a second, each way and on each node; 0: no limit. */
  readonly speedLimit: number;
  /** Source addresses at once over all nodes, IPv6 counted by /64; 0: no limit. */
  readonly ipLimit: number;
  /** Devices that may fetch the subscription; 0: no limit. */
  readonly deviceLimit: number;
  /** Whether the counters are set to 0 from time to time; `false` where it is left out. */
  readonly autoReset: boolean;
  /** Days of a cycle, where `resetPeriod` is empty; 0: no cycle. */
  readonly resetDays: number;
  /** The calendar's cycle; empty: `resetDays` is the cycle. */
  readonly resetPeriod: "" | "weekly" | "monthly" | "yearly";
  /** The day on which a cycle begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years. */
  readonly resetStartDay: number;
  /** The month in which a year's cycle begins, 1 to 12; 0: none. */
  readonly resetStartMonth: number;
  /** The calendar of months and years; empty: the Gregorian. */
  readonly resetCalendar: "" | "jalali";
  /** Whether the account is served by every template; on where neither it nor `templateIds` is named. */
  readonly allTemplates: boolean;
  /** Templates that serve the account, where `allTemplates` is off. */
  readonly templateIds: readonly number[];
  /**
   * The only inbounds of its templates that the account may use; null: all of them, an empty list:
   * none. An inbound that is deleted leaves the list.
   */
  readonly inboundIds: readonly number[] | null;
  /** The label that accounts get; empty: none. */
  readonly group: string;
  /** Text before the name of a new account. */
  readonly namePrefix: string;
  /** Text after the name of a new account. */
  readonly nameSuffix: string;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
};

/** A whole plan. What is left out is 0 or empty, but for what says otherwise. */
export type PlanFields = {
  /** Bytes that may be used; 0: no limit. */
  readonly volume?: number;
  /** Bytes a second, each way and on each node; 0: no limit. */
  readonly speedLimit?: number;
  /** Source addresses at once over all nodes, IPv6 counted by /64; 0: no limit. */
  readonly ipLimit?: number;
  /** Devices that may fetch the subscription; 0: no limit. */
  readonly deviceLimit?: number;
  /** Whether the counters are set to 0 from time to time; `false` where it is left out. */
  readonly autoReset?: boolean;
  /** Days of a cycle, where `resetPeriod` is empty; 0: no cycle. */
  readonly resetDays?: number;
  /** The calendar's cycle; empty: `resetDays` is the cycle. */
  readonly resetPeriod?: "" | "weekly" | "monthly" | "yearly";
  /** The day on which a cycle begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years. */
  readonly resetStartDay?: number;
  /** The month in which a year's cycle begins, 1 to 12; 0: none. */
  readonly resetStartMonth?: number;
  /** The calendar of months and years; empty: the Gregorian. */
  readonly resetCalendar?: "" | "jalali";
  /** Whether the account is served by every template; on where neither it nor `templateIds` is named. */
  readonly allTemplates?: boolean;
  /** Templates that serve the account, where `allTemplates` is off. */
  readonly templateIds?: readonly number[];
  /**
   * The only inbounds of its templates that the account may use; null: all of them, an empty list:
   * none. An inbound that is deleted leaves the list.
   */
  readonly inboundIds?: readonly number[] | null;
  /** What operators call the plan. */
  readonly name: string;
  /** A note; empty: none. */
  readonly desc?: string;
  /** The place among the plans, the smallest first; the id decides between equal ones. */
  readonly sortOrder?: number;
  /** Days of a term; 0: without end. */
  readonly days?: number;
  /** Whether the term begins with the first connection; else with the account. */
  readonly onFirstUse?: boolean;
  /** The label that accounts get; empty: none. */
  readonly group?: string;
  /** Text before the name of a new account. */
  readonly namePrefix?: string;
  /** Text after the name of a new account. */
  readonly nameSuffix?: string;
};

/** Plans in the order that is wanted. */
export type PlanOrder = {
  /** Ids of plans. Plans that are not named follow as they stood. */
  readonly ids: readonly number[];
};

/** One page of a list. */
export type PlanPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Plan[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

/** A whole plan. What is left out is 0 or empty, but for what says otherwise. */
export type PlanReplace = {
  /** Bytes that may be used; 0: no limit. */
  readonly volume?: number;
  /** Bytes a second, each way and on each node; 0: no limit. */
  readonly speedLimit?: number;
  /** Source addresses at once over all nodes, IPv6 counted by /64; 0: no limit. */
  readonly ipLimit?: number;
  /** Devices that may fetch the subscription; 0: no limit. */
  readonly deviceLimit?: number;
  /** Whether the counters are set to 0 from time to time; `false` where it is left out. */
  readonly autoReset?: boolean;
  /** Days of a cycle, where `resetPeriod` is empty; 0: no cycle. */
  readonly resetDays?: number;
  /** The calendar's cycle; empty: `resetDays` is the cycle. */
  readonly resetPeriod?: "" | "weekly" | "monthly" | "yearly";
  /** The day on which a cycle begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years. */
  readonly resetStartDay?: number;
  /** The month in which a year's cycle begins, 1 to 12; 0: none. */
  readonly resetStartMonth?: number;
  /** The calendar of months and years; empty: the Gregorian. */
  readonly resetCalendar?: "" | "jalali";
  /** Whether the account is served by every template; on where neither it nor `templateIds` is named. */
  readonly allTemplates?: boolean;
  /** Templates that serve the account, where `allTemplates` is off. */
  readonly templateIds?: readonly number[];
  /**
   * The only inbounds of its templates that the account may use; null: all of them, an empty list:
   * none. An inbound that is deleted leaves the list.
   */
  readonly inboundIds?: readonly number[] | null;
  /** What operators call the plan. */
  readonly name: string;
  /** A note; empty: none. */
  readonly desc?: string;
  /** The place among the plans, the smallest first; the id decides between equal ones. */
  readonly sortOrder?: number;
  /** Days of a term; 0: without end. */
  readonly days?: number;
  /** Whether the term begins with the first connection; else with the account. */
  readonly onFirstUse?: boolean;
  /** The label that accounts get; empty: none. */
  readonly group?: string;
  /** Text before the name of a new account. */
  readonly namePrefix?: string;
  /** Text after the name of a new account. */
  readonly nameSuffix?: string;
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

export type RenewMyRecoveryCodesAnswer = {
  /** Ten codes, each good once in place of the authenticator. They are shown this once. */
  readonly recoveryCodes: readonly string[];
};

export type RenewMyRecoveryCodesBody = {
  /** Six digits of the authenticator. */
  readonly code: string;
};

export type RenewUserBody = UserRenewal;

/** Fields of an operator. What is left out is kept. */
export type ReplaceAdminBody = {
  /** The name to sign in with: 1 to 64 letters, digits, `.`, `_`, `-`, `@`. Case makes no difference. */
  readonly username: string;
  /** The name of the role. */
  readonly role: string;
  /** Bytes that its users may use in a period; 0: no limit. Kept where it is left out. */
  readonly volume?: number;
  /** How often the allowance begins again. Empty: never. */
  readonly period?: "" | "weekly" | "monthly" | "yearly";
  /**
   * The day on which a period begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years; 0: the
   * first.
   */
  readonly periodDay?: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
  /** Users that may be owned; 0: no limit. */
  readonly userLimit?: number;
  /** Whether it creates users from plans alone. */
  readonly plansOnly?: boolean;
  /** Plans that are granted to it, where `plansOnly` is on. An id that names no plan grants nothing. */
  readonly planIds?: readonly number[];
  /** Whether it only reads users. */
  readonly usersReadOnly?: boolean;
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

export type ResendWebhookDeliveriesAnswer = {
  /** Deliveries that are to be sent again. */
  readonly queued: number;
  /** Whether there are others in the state: ask again. */
  readonly more: boolean;
};

export type RestoreUserBody = UserRestoration;

export type Role = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** The tier that the role narrows. */
  readonly base: "sudo" | "admin" | "resale";
  /** Whether it is one of the three fixed roles, which are never changed. */
  readonly builtin: boolean;
  /** What it is for, in words. */
  readonly description: string;
  /** Scopes that are granted. A `:write` scope holds the `:read` one. */
  readonly scopes: readonly (
    | "users:read"
    | "users:write"
    | "nodes:read"
    | "nodes:write"
    | "nodes:install"
    | "tunnels:read"
    | "tunnels:write"
    | "templates:read"
    | "templates:write"
    | "pool:read"
    | "pool:write"
    | "certificates:read"
    | "certificates:write"
    | "settings:read"
    | "settings:write"
    | "stats:read"
    | "tools:write"
    | "admins:write"
    | "tokens:write"
    | "license:write"
    | "backup:read"
    | "backup:write"
    | "backup:deliver"
    | "security:read"
    | "security:write"
    | "webhooks:read"
    | "webhooks:write"
    | "services:read"
    | "services:write"
  )[];
  /** Users that may be owned; 0: no limit. */
  readonly userLimit: number;
  /** The highest device limit that may be handed out; 0: no limit. */
  readonly maxDeviceLimit: number;
  /** The longest plan that may be handed out, in seconds; 0: no limit. */
  readonly maxDuration: number;
  /** Accounts that hold the role. */
  readonly admins: number;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
};

/** One page of a list. */
export type RolePage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Role[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type RoleUpdate = {
  /** What people call it. */
  readonly name: unknown;
  /** The tier that the role narrows. */
  readonly base: "sudo" | "admin" | "resale";
  /** What it is for, in words. */
  readonly description?: string;
  /** Scopes that are granted. A `:write` scope holds the `:read` one. */
  readonly scopes: readonly (
    | "users:read"
    | "users:write"
    | "nodes:read"
    | "nodes:write"
    | "nodes:install"
    | "tunnels:read"
    | "tunnels:write"
    | "templates:read"
    | "templates:write"
    | "pool:read"
    | "pool:write"
    | "certificates:read"
    | "certificates:write"
    | "settings:read"
    | "settings:write"
    | "stats:read"
    | "tools:write"
    | "admins:write"
    | "tokens:write"
    | "license:write"
    | "backup:read"
    | "backup:write"
    | "backup:deliver"
    | "security:read"
    | "security:write"
    | "webhooks:read"
    | "webhooks:write"
    | "services:read"
    | "services:write"
  )[];
  /** Users that may be owned; 0: no limit. */
  readonly userLimit?: number;
  /** The highest device limit that may be handed out; 0: no limit. */
  readonly maxDeviceLimit?: number;
  /** The longest plan that may be handed out, in seconds; 0: no limit. */
  readonly maxDuration?: number;
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

/** The whole role. A limit that is left out is 0. */
export type RoleWrite = {
  /** What people call it. */
  readonly name: unknown;
  /** The tier that the role narrows. */
  readonly base: "sudo" | "admin" | "resale";
  /** What it is for, in words. */
  readonly description?: string;
  /** Scopes that are granted. A `:write` scope holds the `:read` one. */
  readonly scopes: readonly (
    | "users:read"
    | "users:write"
    | "nodes:read"
    | "nodes:write"
    | "nodes:install"
    | "tunnels:read"
    | "tunnels:write"
    | "templates:read"
    | "templates:write"
    | "pool:read"
    | "pool:write"
    | "certificates:read"
    | "certificates:write"
    | "settings:read"
    | "settings:write"
    | "stats:read"
    | "tools:write"
    | "admins:write"
    | "tokens:write"
    | "license:write"
    | "backup:read"
    | "backup:write"
    | "backup:deliver"
    | "security:read"
    | "security:write"
    | "webhooks:read"
    | "webhooks:write"
    | "services:read"
    | "services:write"
  )[];
  /** Users that may be owned; 0: no limit. */
  readonly userLimit?: number;
  /** The highest device limit that may be handed out; 0: no limit. */
  readonly maxDeviceLimit?: number;
  /** The longest plan that may be handed out, in seconds; 0: no limit. */
  readonly maxDuration?: number;
};

export type RotateUserLinkBody = UserRotation;

/** The refusal `scope`: the scope does not reach this route. */
export type ScopeMissing = {
  /** What was refused, for people. */
  readonly error: string;
  /** Which refusal this is. */
  readonly code: "scope";
  /** The scope that is missing. */
  readonly scope: string;
};

export type ScopeMissingOrCrossSiteOrError = ScopeMissing | CrossSite | Error;

export type ScopeMissingOrError = ScopeMissing | Error;

export type Scopes = {
  /** Every scope that there is. */
  readonly scopes: readonly (
    | "users:read"
    | "users:write"
    | "nodes:read"
    | "nodes:write"
    | "nodes:install"
    | "tunnels:read"
    | "tunnels:write"
    | "templates:read"
    | "templates:write"
    | "pool:read"
    | "pool:write"
    | "certificates:read"
    | "certificates:write"
    | "settings:read"
    | "settings:write"
    | "stats:read"
    | "tools:write"
    | "admins:write"
    | "tokens:write"
    | "license:write"
    | "backup:read"
    | "backup:write"
    | "backup:deliver"
    | "security:read"
    | "security:write"
    | "webhooks:read"
    | "webhooks:write"
    | "services:read"
    | "services:write"
  )[];
  /**
   * By method and path: the first scope that a route needs. Empty: none; `-`: sessions alone reach
   * it.
   */
  readonly routes: { readonly [name: string]: string };
  /** By method and path: a scope that is enough instead of the first. */
  readonly instead: { readonly [name: string]: readonly string[] };
  /** By method and path: the further scopes that every request needs. */
  readonly also: { readonly [name: string]: readonly string[] };
  /** By method and path: the scopes that only some requests need. */
  readonly sometimes: { readonly [name: string]: readonly string[] };
};

export type SendActorEventAnswer = Actor | ActorPreview;

export type SetAdminPasswordBody = {
  /** The password, 8 characters or more. */
  readonly password: string;
};

export type SetInboundFrontsAnswer = readonly Front[];

export type SetInboundFrontsBody = {
  /** The fronts, in the order of the entries that they give. */
  readonly frontIds: readonly number[];
};

export type SetMyDashboardTilesAnswer = {
  /** What the dashboard shows from now on. */
  readonly value: string;
};

export type SetMyDashboardTilesBody = {
  /** What the dashboard shows; the text is the pages' own matter. */
  readonly value: string;
};

export type SetMyInterfaceBody = MyInterface;

export type SetNodeEnabledBody = {
  /** Switches the node on or off. */
  readonly enabled: boolean;
};

export type SetNodeRoutingBody = {
  /** The route; null: the template's. */
  readonly routing: { readonly [name: string]: unknown } | null;
};

export type SetNodeTemplateBody = {
  /** The template that the node serves; 0 or null: none. */
  readonly templateId: number | null;
};

export type SetSettingBody = {
  /** Its value as text. Empty: what the setting is without one. */
  readonly value: string;
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

export type Setting = {
  /** The setting's key. */
  readonly key: string;
  /** Its value as text; empty where it is a secret. */
  readonly value: string;
  /** The value that holds while none is stored. */
  readonly default: string;
  /** What people look it up under. */
  readonly group:
    | "general"
    | "web"
    | "access"
    | "subscriptions"
    | "client_apps"
    | "certificates"
    | "events"
    | "records"
    | "alerts"
    | "backups"
    | "updates";
  /** The form of its values. */
  readonly type:
    | "text"
    | "lines"
    | "number"
    | "flag"
    | "choice"
    | "address"
    | "addresses"
    | "host"
    | "domains"
    | "url"
    | "path"
    | "zone"
    | "days";
  /** All values that it takes, where they are few; else none. */
  readonly values: readonly string[];
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /** Whether main admins alone write it, with a fresh second factor. */
  readonly panelWide: boolean;
  /** Whether it is a secret: its value is never answered. */
  readonly secret: boolean;
  /** Whether a secret is stored; `false` for what is no secret. */
  readonly secretSet: boolean;
  /** Whether a panel that runs goes on with the value that it started with. */
  readonly restart: boolean;
  /** Whether the panel that answers runs with another value than the stored one. */
  readonly restartPending: boolean;
  /** Whether the part of the panel that reads it is not built yet. */
  readonly unused: boolean;
  /**
   * Where its value leads customers and their programs: `no`, by the `links` in it, or `always`.
   * Adding that needs `users:read`.
   */
  readonly points: "no" | "links" | "always";
};

/** One page of a list. */
export type SettingPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Setting[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type SetupDone = {
  /** `ok`. */
  readonly status: string;
  /** Where the panel answers after its restart. */
  readonly url: string;
  /** `true`: the panel restarts itself. */
  readonly restart: boolean;
};

export type SetupState = {
  /** Whether setup is pending. */
  readonly required: boolean;
  /** What the settings will be where setup does not name them; absent once setup is finished. */
  readonly defaults?: { readonly [name: string]: string };
  /**
   * Where the panel listens whatever the settings say (`SIGNALBOX_LISTEN`); absent where the
   * settings say it.
   */
  readonly listen?: string;
  /** Whether the panel was reached where `try` says, asked from its own machine. */
  readonly tried?: {
    /** What was asked. */
    readonly url: string;
    /** Whether the request came to this panel. */
    readonly reached: boolean;
    /** Why there was no answer; empty: there was one. */
    readonly error: string;
  };
};

export type Sparkline = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** Bytes of each step; null where nothing is known. */
  readonly up: readonly (number | null)[];
  /** Bytes of each step; null where nothing is known. */
  readonly down: readonly (number | null)[];
};

/** The traffic of several records in the same steps, in raw bytes. */
export type Sparklines = {
  /** Unix seconds at which the range begins; together with `end`. */
  readonly start: number;
  /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
  readonly end: number;
  /** Hours or days of the panel's zone. */
  readonly step: "hour" | "day";
  /** The time zone in which days begin. */
  readonly zone: string;
  /** Unix seconds at which the steps begin. */
  readonly at: readonly number[];
  /** In the order of `ids`. */
  readonly rows: readonly Sparkline[];
};

export type SubPageTrial = {
  /** a theme to try; absent: the panel's own */
  readonly theme?: {
    /** of the page; empty: `sub_title` */
    readonly title?: string;
    /** of buttons and marks */
    readonly colour?: string;
    /** a picture as `data:` address */
    readonly logo?: string;
    /** light or dark; `auto`: as the device has it */
    readonly scheme?: "auto" | "light" | "dark";
    /** for browsers that ask for none of these */
    readonly language?: "en" | "fa" | "ru" | "zh";
    /** whether servers are listed one by one */
    readonly servers?: boolean;
    /** by language */
    readonly texts?: {
      readonly [name: string]: {
        /** on top of the page */
        readonly notice?: string;
        /** at the end of the page */
        readonly footer?: string;
      };
    };
  };
  /** apps to try; absent: the panel's own list */
  readonly apps?: readonly {
    /** of the app */
    readonly name: string;
    /** where people get it, by platform */
    readonly stores: { readonly [name: string]: string };
    /** the link by which it takes a subscription */
    readonly import?: string;
    /** a small picture as `data:` address; absent: its first letter */
    readonly icon?: string;
    /** steps in the operator's own words, by language; absent: the page's own */
    readonly steps?: { readonly [name: string]: readonly string[] };
  }[];
  /** of the visitor */
  readonly language?: "en" | "fa" | "ru" | "zh";
  /** of the visitor's device */
  readonly platform?: "ios" | "android" | "windows" | "macos" | "linux";
  /** of the account that is shown */
  readonly status?: "active" | "disabled" | "pending" | "expired" | "limited";
};

export type SubPageTrialResult = {
  /** the page, of an account that does not exist */
  readonly html: string;
  /** as in setting `sub_theme` */
  readonly theme: {
    /** of the page; empty: `sub_title` */
    readonly title: string;
    /** of buttons and marks */
    readonly colour: string;
    /** a picture as `data:` address */
    readonly logo: string;
    /** light or dark; `auto`: as the device has it */
    readonly scheme: "auto" | "light" | "dark";
    /** for browsers that ask for none of these */
    readonly language: "en" | "fa" | "ru" | "zh";
    /** whether servers are listed one by one */
    readonly servers: boolean;
    /** by language */
    readonly texts: {
      readonly [name: string]: {
        /** on top of the page */
        readonly notice: string;
        /** at the end of the page */
        readonly footer: string;
      };
    };
  };
  /** as in setting `sub_apps` */
  readonly apps: readonly {
    /** of the app */
    readonly name: string;
    /** where people get it, by platform */
    readonly stores: { readonly [name: string]: string };
    /** the link by which it takes a subscription */
    readonly import?: string;
    /** a small picture as `data:` address; absent: its first letter */
    readonly icon?: string;
    /** steps in the operator's own words, by language; absent: the page's own */
    readonly steps?: { readonly [name: string]: readonly string[] };
  }[];
};

export type SubPreview = {
  /** the row of the table that holds; null: none does, or the format was named */
  readonly rule: {
    /** the header of the request that is compared */
    readonly header: "user-agent" | "accept";
    /**
     * how it is compared, in whatever case; `prefers` reads `accept` and holds when no media type is
     * preferred to the value
     */
    readonly operator: "startsWith" | "endsWith" | "contains" | "equals" | "prefers";
    /** what it is compared with */
    readonly value: string;
    /** with `startsWith`: the dotted version right behind the value must be at least this */
    readonly minVersion?: string;
    /** the row holds where the comparison does not; absent = false */
    readonly not?: boolean;
    /** The name of the format. */
    readonly format: "links" | "base64" | "clash" | "singbox" | "xray" | "html" | "info";
    /** Whether it is switched on. */
    readonly enabled: boolean;
    /** further headers of the answer, for what only this client reads */
    readonly headers?: { readonly [name: string]: string };
    /** of the row in the table, from 0 */
    readonly position: number;
    /** headers of the row that an older version took and this one does not send; absent: none */
    readonly unsent?: readonly string[];
  } | null;
  /** The name of the format. */
  readonly format: "links" | "base64" | "clash" | "singbox" | "xray" | "html" | "info";
  /** the status that the client would be answered */
  readonly status: number;
  /** the headers that the client would get */
  readonly headers: { readonly [name: string]: string };
  /** the body that the client would get */
  readonly body: string;
  /** what the body lists, in its order */
  readonly entries: readonly {
    /** the name of the entry */
    readonly remark: string;
    /** The node's id. */
    readonly nodeId: number;
    /** the node's name; null: no node, or the caller may not see nodes */
    readonly node: string | null;
    /** the inbound's id */
    readonly inboundId: number;
    /** The tag of the inbound. */
    readonly inbound: string;
    /** the front's id; null: straight to the node */
    readonly frontId: number | null;
    /** the front's name; null: straight to the node */
    readonly front: string | null;
  }[];
  /**
   * what the body leaves out, and why: inbounds, ways to them, and of what it lists the parts that
   * the client is not told (`refused_part`, `part`)
   */
  readonly omitted: readonly {
    /** The node's id. */
    readonly nodeId: number;
    /** the node's name; null: no node, or the caller may not see nodes */
    readonly node: string | null;
    /** the inbound's id */
    readonly inboundId: number;
    /** The tag of the inbound. */
    readonly inbound: string;
    /** why, as a word */
    readonly code:
      | "protocol"
      | "transport"
      | "security"
      | "combination"
      | "core"
      | "core_unnamed"
      | "type"
      | "no_port"
      | "no_node"
      | "fronted_only"
      | "loopback"
      | "front_off"
      | "front_unfit"
      | "refused"
      | "refused_part"
      | "part"
      | "same";
    /**
     * what cannot be said: a protocol, transport, security or type, a front by its name, or fields of
     * the inbound (`refused`, `refused_part`, `part`); may be empty
     */
    readonly what: string;
    /** The same in a sentence. */
    readonly text: string;
  }[];
};

export type SubRequest = {
  /** Unix seconds. */
  readonly at: number;
  /** The address that the request came from. */
  readonly ip: string;
  /** What the browser calls itself. */
  readonly userAgent: string;
  /** The name of the format. */
  readonly format: string;
  /** What the device called itself. */
  readonly hwid: string;
  /** the status that was answered */
  readonly status: number;
};

export type SubRuleTrial = {
  /** What the browser calls itself. */
  readonly userAgent?: string;
  /** the header `accept` of the client */
  readonly accept?: string;
  /** a table to try; absent: the one that holds */
  readonly rules?: readonly {
    /** the header of the request that is compared */
    readonly header: "user-agent" | "accept";
    /**
     * how it is compared, in whatever case; `prefers` reads `accept` and holds when no media type is
     * preferred to the value
     */
    readonly operator: "startsWith" | "endsWith" | "contains" | "equals" | "prefers";
    /** what it is compared with */
    readonly value: string;
    /** with `startsWith`: the dotted version right behind the value must be at least this */
    readonly minVersion?: string;
    /** the row holds where the comparison does not; absent = false */
    readonly not?: boolean;
    /** The name of the format. */
    readonly format: "links" | "base64" | "clash" | "singbox" | "xray" | "html" | "info";
    /** Whether it is switched on. */
    readonly enabled: boolean;
    /** further headers of the answer, for what only this client reads */
    readonly headers?: { readonly [name: string]: string };
  }[];
};

export type SubRuleTrialResult = {
  /** the row of the table that holds; null: none does, or the format was named */
  readonly rule: {
    /** the header of the request that is compared */
    readonly header: "user-agent" | "accept";
    /**
     * how it is compared, in whatever case; `prefers` reads `accept` and holds when no media type is
     * preferred to the value
     */
    readonly operator: "startsWith" | "endsWith" | "contains" | "equals" | "prefers";
    /** what it is compared with */
    readonly value: string;
    /** with `startsWith`: the dotted version right behind the value must be at least this */
    readonly minVersion?: string;
    /** the row holds where the comparison does not; absent = false */
    readonly not?: boolean;
    /** The name of the format. */
    readonly format: "links" | "base64" | "clash" | "singbox" | "xray" | "html" | "info";
    /** Whether it is switched on. */
    readonly enabled: boolean;
    /** further headers of the answer, for what only this client reads */
    readonly headers?: { readonly [name: string]: string };
    /** of the row in the table, from 0 */
    readonly position: number;
    /** headers of the row that an older version took and this one does not send; absent: none */
    readonly unsent?: readonly string[];
  } | null;
  /** The name of the format. */
  readonly format: "links" | "base64" | "clash" | "singbox" | "xray" | "html" | "info";
  /** the table that was asked, in its order */
  readonly rules: readonly {
    /** the header of the request that is compared */
    readonly header: "user-agent" | "accept";
    /**
     * how it is compared, in whatever case; `prefers` reads `accept` and holds when no media type is
     * preferred to the value
     */
    readonly operator: "startsWith" | "endsWith" | "contains" | "equals" | "prefers";
    /** what it is compared with */
    readonly value: string;
    /** with `startsWith`: the dotted version right behind the value must be at least this */
    readonly minVersion?: string;
    /** the row holds where the comparison does not; absent = false */
    readonly not?: boolean;
    /** The name of the format. */
    readonly format: "links" | "base64" | "clash" | "singbox" | "xray" | "html" | "info";
    /** Whether it is switched on. */
    readonly enabled: boolean;
    /** further headers of the answer, for what only this client reads */
    readonly headers?: { readonly [name: string]: string };
  }[];
};

export type SwitchMyTwoFactorOffBody = {
  /** Six digits of the authenticator, or a recovery code. */
  readonly code: string;
};

export type SwitchMyTwoFactorOnAnswer = {
  /** `true`. */
  readonly enabled: boolean;
  /** Ten codes, each good once in place of the authenticator. They are shown this once. */
  readonly recoveryCodes: readonly string[];
};

export type SwitchMyTwoFactorOnBody = {
  /** Six digits of the authenticator that holds the new secret. */
  readonly code: string;
};

export type Template = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** A note of one line; empty: none. */
  readonly remark: string;
  /** The route, in the form of the engine's own; null: none. */
  readonly route: { readonly [name: string]: unknown };
  /** What the engine is given beside, in its own form; null: nothing. */
  readonly core: { readonly [name: string]: unknown };
  /** Its inbounds, whole. */
  readonly inbounds: readonly Inbound[];
  /** Its outbounds, whole. */
  readonly outbounds: readonly Outbound[];
  /** Its endpoints, whole. */
  readonly endpoints: readonly unknown[];
  /** Its rule sets, whole. */
  readonly ruleSets: readonly unknown[];
  /** Its inbounds, in the order that is wanted. */
  readonly inboundIds: readonly number[];
  /** Its outbounds, in the order that is wanted. */
  readonly outboundIds: readonly number[];
  /** Its endpoints, in the order that is wanted. */
  readonly endpointIds: readonly number[];
  /** Its rule sets, in the order that is wanted. */
  readonly ruleSetIds: readonly number[];
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /** Fields whose stored value may not be written any more. Nodes do not run the record. */
  readonly forbidden: readonly string[];
};

/** A new template. What is left out is empty. */
export type TemplateCreate = {
  /** What people call it. */
  readonly name: string;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** The route, in the form of the engine's own; null: none. */
  readonly route?: { readonly [name: string]: unknown } | null;
  /** What the engine is given beside, in its own form; null: nothing. */
  readonly core?: { readonly [name: string]: unknown } | null;
  /** Its inbounds, in the order that is wanted. */
  readonly inboundIds?: readonly number[];
  /** Its outbounds, in the order that is wanted. */
  readonly outboundIds?: readonly number[];
  /** Its endpoints, in the order that is wanted. */
  readonly endpointIds?: readonly number[];
  /** Its rule sets, in the order that is wanted. */
  readonly ruleSetIds?: readonly number[];
};

/** One page of a list. */
export type TemplatePage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Template[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

export type TemplateRecord = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** A note of one line; empty: none. */
  readonly remark: string;
  /** The route, in the form of the engine's own; null: none. */
  readonly route: { readonly [name: string]: unknown };
  /** What the engine is given beside, in its own form; null: nothing. */
  readonly core: { readonly [name: string]: unknown };
  /** Its inbounds, whole. */
  readonly inbounds: readonly Inbound[];
  /** Its outbounds, whole. */
  readonly outbounds: readonly Outbound[];
  /** Its endpoints, whole. */
  readonly endpoints: readonly unknown[];
  /** Its rule sets, whole. */
  readonly ruleSets: readonly unknown[];
  /** Its inbounds, in the order that is wanted. */
  readonly inboundIds: readonly number[];
  /** Its outbounds, in the order that is wanted. */
  readonly outboundIds: readonly number[];
  /** Its endpoints, in the order that is wanted. */
  readonly endpointIds: readonly number[];
  /** Its rule sets, in the order that is wanted. */
  readonly ruleSetIds: readonly number[];
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /** Fields whose stored value may not be written any more. Nodes do not run the record. */
  readonly forbidden: readonly string[];
  /** What uses it: a change of it changes them. */
  readonly usedBy: UsedBy;
};

/** Fields of a template. What is left out is kept. */
export type TemplateUpdate = {
  /** What people call it. */
  readonly name?: string;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** The route, in the form of the engine's own; null: none. */
  readonly route?: { readonly [name: string]: unknown } | null;
  /** What the engine is given beside, in its own form; null: nothing. */
  readonly core?: { readonly [name: string]: unknown } | null;
  /** Its inbounds, in the order that is wanted. */
  readonly inboundIds?: readonly number[];
  /** Its outbounds, in the order that is wanted. */
  readonly outboundIds?: readonly number[];
  /** Its endpoints, in the order that is wanted. */
  readonly endpointIds?: readonly number[];
  /** Its rule sets, in the order that is wanted. */
  readonly ruleSetIds?: readonly number[];
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

/** Traffic over time, in raw bytes. */
export type Traffic = {
  /** Unix seconds at which the first step begins. */
  readonly start: number;
  /** Unix seconds at which the last step ends. */
  readonly end: number;
  /** Hours or days of the panel's zone. */
  readonly step: "hour" | "day";
  /** The time zone in which days begin. */
  readonly zone: string;
  /** The heaviest first. */
  readonly series: readonly {
    /** The record's id. Never given to another one. */
    readonly id: number;
    /** What people call it. */
    readonly name: string;
    /** Bytes sent. */
    readonly up: number;
    /** Bytes received. */
    readonly down: number;
    /** The steps of which something is known, the oldest first. */
    readonly points: readonly {
      /** Unix seconds. */
      readonly at: number;
      /** Bytes sent. */
      readonly up: number;
      /** Bytes received. */
      readonly down: number;
    }[];
  }[];
  /** What is not among the series. */
  readonly rest: {
    /** How many there are. */
    readonly count: number;
    /** Bytes sent. */
    readonly up: number;
    /** Bytes received. */
    readonly down: number;
  };
};

export type UsageMoves = {
  /** What to send as `since` the next time. */
  readonly cursor: number;
  /** Users whose counters moved. */
  readonly rows: readonly {
    /** The user's id. */
    readonly id: number;
    /** Bytes sent. */
    readonly up: number;
    /** Bytes received. */
    readonly down: number;
    /** Unix seconds of the last traffic; 0: never. An account is online for 90 seconds after it. */
    readonly onlineAt: number;
  }[];
};

export type UsageRefusal = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The node's id. */
  readonly nodeId: number;
  /** Unix seconds of the refusal. */
  readonly at: number;
  /** Why the usage was not counted. */
  readonly code: "not_served" | "unknown_inbound" | "too_fast";
  /** The user that the refused usage names. */
  readonly userId: number;
  /** Bytes sent that were not counted. */
  readonly up: number;
  /** Bytes received that were not counted. */
  readonly down: number;
};

/** One page of a list. */
export type UsageRefusalPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly UsageRefusal[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

/**
 * What uses a record. A list is null where the caller may not read such records, and names at most
 * 1,000.
 */
export type UsedBy = {
  /** Templates that carry it, or whose route names it. */
  readonly templates:
    | readonly {
        /** The record's id. Never given to another one. */
        readonly id: number;
        /** What people call it. */
        readonly name: string;
      }[]
    | null;
  /** Nodes that run one of these templates, or whose own routing names it. */
  readonly nodes:
    | readonly {
        /** The record's id. Never given to another one. */
        readonly id: number;
        /** What people call it. */
        readonly name: string;
      }[]
    | null;
  /** Inbounds that name it. */
  readonly inbounds:
    | readonly {
        /** The record's id. Never given to another one. */
        readonly id: number;
        /** What people call it. */
        readonly name: string;
      }[]
    | null;
  /** Outbounds that name it: groups of them, and those that go through it. */
  readonly outbounds:
    | readonly {
        /** The record's id. Never given to another one. */
        readonly id: number;
        /** What people call it. */
        readonly name: string;
      }[]
    | null;
  /** Tunnels that name it. */
  readonly tunnels:
    | readonly {
        /** The record's id. Never given to another one. */
        readonly id: number;
        /** What people call it. */
        readonly name: string;
      }[]
    | null;
  /**
   * How many accounts these templates serve, as it was moments ago; null: the caller may not read
   * them.
   */
  readonly users: number | null;
};

export type User = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** Whether the account is switched on. */
  readonly enable: boolean;
  /** Why the account is off; empty while it is on. */
  readonly disabledReason: "" | "manual" | "volume" | "expiry" | "resale-volume" | "resale-expiry";
  /** The credentials with which clients sign in. */
  readonly config: {
    /** The UUID for VLESS, VMess and TUIC. */
    readonly uuid: string;
    /** The password for Trojan, Hysteria and the like. */
    readonly password: string;
    /** The Shadowsocks 2022 key of 16 bytes, in base64. */
    readonly ss16: string;
    /** The Shadowsocks 2022 key of 32 bytes, in base64. */
    readonly ss32: string;
    /** The flow of VLESS; empty: none. */
    readonly flow?: string;
    /**
     * Credentials for one protocol alone, by its name; they win there. Written as a whole, null or
     * empty takes them away.
     */
    readonly by?: { readonly [name: string]: OwnCredentials };
  };
  /** A note; empty: none. */
  readonly desc: string;
  /** How to reach the person: `email`, `phone`, `telegram_id` and others. */
  readonly contact: { readonly [name: string]: string };
  /** The secret part of the subscription's address. */
  readonly subToken: string;
  /** The name of the subscription in its address. */
  readonly subId: string;
  /** a shop's own reference, unique where set; empty: none */
  readonly externalId: string;
  /** Words before the names of the account's links; empty: none. */
  readonly remark: string;
  /** Bytes that may be used; 0: no limit. */
  readonly volume: number;
  /** Bytes a second, each way and on each node; 0: no limit. */
  readonly speedLimit: number;
  /** Source addresses at once over all nodes, IPv6 counted by /64; 0: no limit. */
  readonly ipLimit: number;
  /** Devices that may fetch the subscription; 0: no limit. */
  readonly deviceLimit: number;
  /**
   * Unix seconds at which the account ends; 0: never. While `duration` has not begun it says
   * nothing.
   */
  readonly expiry: number;
  /**
   * Seconds from the first connection to the end; 0: the end is `expiry`. Setting it begins the plan
   * again.
   */
  readonly duration: number;
  /**
   * seconds that a renewal adds to the end, as they were sold; 0: none are known, a renewal then
   * needs `days` or a `planId`
   */
  readonly term: number;
  /** Unix seconds of the first connection; 0: not yet. */
  readonly activatedAt: number;
  /** Bytes sent since the counters were last set to 0. */
  readonly up: number;
  /** Bytes received since the counters were last set to 0. */
  readonly down: number;
  /** Unix seconds of the last traffic; 0: never. An account is online for 90 seconds after it. */
  readonly onlineAt: number;
  /** Unix seconds at which a client last took the subscription; 0: never. */
  readonly subFetchedAt: number;
  /** Unix seconds of the last request of any kind to the subscription; 0: never. */
  readonly subSeenAt: number;
  /** What the last client called itself; empty: none came. */
  readonly subClient: string;
  /** The address of the last fetch; empty: none. */
  readonly subFetchIp: string;
  /** The tag of the inbound of the last connection; empty: none. */
  readonly lastInbound: string;
  /** Whether the counters are set to 0 from time to time; `false` where it is left out. */
  readonly autoReset: boolean;
  /** Days of a cycle, where `resetPeriod` is empty; 0: no cycle. */
  readonly resetDays: number;
  /** The calendar's cycle; empty: `resetDays` is the cycle. */
  readonly resetPeriod: "" | "weekly" | "monthly" | "yearly";
  /** The day on which a cycle begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years. */
  readonly resetStartDay: number;
  /** The month in which a year's cycle begins, 1 to 12; 0: none. */
  readonly resetStartMonth: number;
  /** The calendar of months and years; empty: the Gregorian. */
  readonly resetCalendar: "" | "jalali";
  /** Unix seconds at which the counters are next set to 0; 0: they are not. */
  readonly nextReset: number;
  /** Bytes sent in all. */
  readonly totalUp: number;
  /** Bytes received in all. */
  readonly totalDown: number;
  /** A label to find accounts by; empty: none. */
  readonly group: string;
  /** The operator that owns the account; 0: the panel. */
  readonly adminId: number;
  /** Whether the account is served by every template; on where neither it nor `templateIds` is named. */
  readonly allTemplates: boolean;
  /** Templates that serve the account, where `allTemplates` is off. */
  readonly templateIds: readonly number[];
  /**
   * The only inbounds of its templates that the account may use; null: all of them, an empty list:
   * none. An inbound that is deleted leaves the list.
   */
  readonly inboundIds: readonly number[] | null;
  /** The address of the subscription. Take it as it is: it may have a host of its own. */
  readonly subUrl: string;
  /** Whether the licence covers the account. One that it does not cover is not served. */
  readonly licensed: boolean;
  /** when the account came into the state that it is in */
  readonly since: number;
  /**
   * who switched it off, for callers with `stats:read`; empty where nobody did, or it is no longer
   * known
   */
  readonly offBy: string;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
};

/** What `user.activated` tells: a first-connection plan started. */
export type UserActivatedData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/** The event `user.activated`: a first-connection plan started. */
export type UserActivatedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.activated";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserActivatedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type UserAddress = {
  /** The address that the user comes from. */
  readonly address: string;
  /** The node's id. */
  readonly nodeId: number;
  /** The node's name. */
  readonly node: string;
  /** The tag of the inbound. */
  readonly inbound: string;
  /** Unix seconds at which it was last seen. */
  readonly lastSeenAt: number;
};

/** A configuration for a program that speaks one protocol only. */
export type UserAppConfig = {
  /** The node's id. */
  readonly nodeId: number;
  /** The node's name. */
  readonly node: string;
  /** The tag of the inbound. */
  readonly inbound: string;
  /** The protocol, and so the program. */
  readonly protocol: "hysteria2" | "tuic";
  /** The name of the server in subscriptions. */
  readonly name: string;
  /** The program's configuration file. */
  readonly config: { readonly [name: string]: unknown };
};

/** Each item as UserCreate. */
export type UserBatch = {
  /** Users to create, each as the body of a create. */
  readonly users: readonly unknown[];
};

export type UserBatchResult = {
  /** Those that were created. */
  readonly created: readonly User[];
  /** Those that were not, and why. */
  readonly problems: readonly {
    /** The place in `users`, from 0. */
    readonly index: number;
    /** Why it was not created, for people. */
    readonly error: string;
  }[];
};

export type UserBulkBody = {
  /** These users alone, out of what the filters select. */
  readonly ids?: readonly number[];
  /** Of `extend`: added to the later of now and `expiry`. */
  readonly seconds?: number;
  /**
   * Of `add-volume`, and of `extend` where both are added: added to `volume`; an unlimited one
   * stays.
   */
  readonly bytes?: number;
  /** Of `edit`: the fields to write. */
  readonly set?: UserPatchOfMany;
  /** Of `assign`: the new owner; 0: the panel. */
  readonly adminId?: number;
  /** Of `renew`: by this plan, its limits and its length. */
  readonly planId?: number;
  /** Of `renew`: by so many days. Without either by the term that each was sold with. */
  readonly days?: number;
  /** Of `renew`: the new end, of users that have begun and have an end or no volume either. */
  readonly expiry?: number;
};

/**
 * What `user.bulk` tells: one bulk operation finished; ids are the first 10,000, idsTruncated says
 * that there are more.
 */
export type UserBulkData = {
  /** What was done. */
  readonly op?: string;
  /** Accounts that were chosen. */
  readonly matched?: number;
  /** Accounts that were changed. */
  readonly affected?: number;
  /** Accounts that may not be changed. */
  readonly blocked?: number;
  /** Accounts at which it failed. */
  readonly failed?: number;
  /** Who or what caused it. */
  readonly actor?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** Accounts that were changed. */
  readonly ids?: readonly number[];
  /** Whether there are more than the first 10,000. */
  readonly idsTruncated?: boolean;
};

/**
 * The event `user.bulk`: one bulk operation finished; ids are the first 10,000, idsTruncated says
 * that there are more.
 */
export type UserBulkEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.bulk";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserBulkData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type UserBulkResult = {
  /** What was done. */
  readonly op:
    | "enable"
    | "disable"
    | "delete"
    | "reset-usage"
    | "extend"
    | "add-volume"
    | "edit"
    | "assign"
    | "rotate-sub"
    | "renew";
  /** Users that were there and matched. */
  readonly matched: number;
  /** Users that were changed. */
  readonly affected: number;
  /** Users that their state or limits, or their owner's, kept as they are. */
  readonly blocked: number;
  /** Users that were refused for another reason, or are not there. */
  readonly failed: number;
  /**
   * The first hundred that were blocked or failed, or were changed and stay off for their reseller
   * (`kept_off`).
   */
  readonly problems: readonly JobProblem[];
  /** The job that did it; absent in a dry run. */
  readonly job?: number;
  /** Why it stopped before its end; absent where it did not. */
  readonly error?: string;
};

export type UserConnections = {
  /** The node's id. */
  readonly nodeId: number;
  /** The node's name. */
  readonly node: string;
  /** The tag of the inbound. */
  readonly inbound: string;
  /** Open sessions. */
  readonly sessions: number;
};

/** A new user. What is left out is 0 or empty, but for what says otherwise. */
export type UserCreate = {
  /** Bytes that may be used; 0: no limit. */
  readonly volume?: number;
  /** Bytes a second, each way and on each node; 0: no limit. */
  readonly speedLimit?: number;
  /** Source addresses at once over all nodes, IPv6 counted by /64; 0: no limit. */
  readonly ipLimit?: number;
  /** Devices that may fetch the subscription; 0: no limit. */
  readonly deviceLimit?: number;
  /** Whether the counters are set to 0 from time to time; `false` where it is left out. */
  readonly autoReset?: boolean;
  /** Days of a cycle, where `resetPeriod` is empty; 0: no cycle. */
  readonly resetDays?: number;
  /** The calendar's cycle; empty: `resetDays` is the cycle. */
  readonly resetPeriod?: "" | "weekly" | "monthly" | "yearly";
  /** The day on which a cycle begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years. */
  readonly resetStartDay?: number;
  /** The month in which a year's cycle begins, 1 to 12; 0: none. */
  readonly resetStartMonth?: number;
  /** The calendar of months and years; empty: the Gregorian. */
  readonly resetCalendar?: "" | "jalali";
  /** Whether the account is served by every template; on where neither it nor `templateIds` is named. */
  readonly allTemplates?: boolean;
  /** Templates that serve the account, where `allTemplates` is off. */
  readonly templateIds?: readonly number[];
  /**
   * The only inbounds of its templates that the account may use; null: all of them, an empty list:
   * none. An inbound that is deleted leaves the list.
   */
  readonly inboundIds?: readonly number[] | null;
  /** What people call it. */
  readonly name: string;
  /** Whether the account is switched on. Left out: on in a create, off in a full replace. */
  readonly enable?: boolean;
  /** Credentials to take; what is left out is made at random. */
  readonly config?: {
    /** The UUID for VLESS, VMess and TUIC. */
    readonly uuid?: string;
    /** The password for Trojan, Hysteria and the like. */
    readonly password?: string;
    /** The Shadowsocks 2022 key of 16 bytes, in base64. */
    readonly ss16?: string;
    /** The Shadowsocks 2022 key of 32 bytes, in base64. */
    readonly ss32?: string;
    /** The flow of VLESS; empty: none. */
    readonly flow?: "" | "xtls-rprx-vision" | "xtls-rprx-vision-udp443";
    /**
     * Credentials for one protocol alone, by its name; they win there. Written as a whole, null or
     * empty takes them away.
     */
    readonly by?: CredentialsByProtocol | null;
  } | null;
  /** A note; empty: none. */
  readonly desc?: string;
  /** A label to find accounts by; empty: none. */
  readonly group?: string;
  /** How to reach the person: `email`, `phone`, `telegram_id` and others. */
  readonly contact?: { readonly [name: string]: string | number | boolean } | null;
  /** The operator that owns the account; 0: the panel. The caller where it is a reseller. */
  readonly adminId?: number;
  /** The name of the subscription in its address; made at random where it is left out or empty. */
  readonly subId?: string | null;
  /** What a shop calls the account, its own among all accounts; empty: none. */
  readonly externalId?: string;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
  /**
   * Seconds from the first connection to the end; 0: the end is `expiry`. Setting it begins the plan
   * again.
   */
  readonly duration?: number;
  /** The plan whose limits are taken over those of the body; 0 or left out: none. */
  readonly planId?: number;
  /** days that a renewal adds where it names none; 0 or absent: those of the plan or of `duration` */
  readonly termDays?: number;
};

/** What `user.created` tells: account created; changed names the fields that hold something. */
export type UserCreatedData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/** The event `user.created`: account created; changed names the fields that hold something. */
export type UserCreatedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.created";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserCreatedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `user.deleted` tells: account deleted. */
export type UserDeletedData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
};

/** The event `user.deleted`: account deleted. */
export type UserDeletedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.deleted";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserDeletedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type UserDevice = {
  /** what the device calls itself */
  readonly hwid: string;
  /** the operating system, as the device says */
  readonly platform: string;
  /** the version of it */
  readonly osVersion: string;
  /** the model, as the device says */
  readonly model: string;
  /** What the browser calls itself. */
  readonly userAgent: string;
  /** The address that the request came from. */
  readonly ip: string;
  /** Unix seconds of its first fetch */
  readonly firstSeenAt: number;
  /** Unix seconds at which it was last seen. */
  readonly lastSeenAt: number;
};

/**
 * What `user.device_limit_reached` tells: a device was refused because the limit is full; at most
 * once per device per hour.
 */
export type UserDeviceLimitReachedData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** What the device called itself. */
  readonly hwid?: string;
  /** Devices that are allowed. */
  readonly limit?: number;
};

/**
 * The event `user.device_limit_reached`: a device was refused because the limit is full; at most
 * once per device per hour.
 */
export type UserDeviceLimitReachedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.device_limit_reached";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserDeviceLimitReachedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `user.disabled` tells: the panel switched an account off; reason: its own volume or expiry,
 * or its reseller's (resale-volume, resale-expiry).
 */
export type UserDisabledData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** Why the account was switched off. */
  readonly reason?: "manual" | "volume" | "expiry" | "resale-volume" | "resale-expiry";
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/**
 * The event `user.disabled`: the panel switched an account off; reason: its own volume or expiry,
 * or its reseller's (resale-volume, resale-expiry).
 */
export type UserDisabledEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.disabled";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserDisabledData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `user.enabled` tells: the panel switched an account back on (renewal, usage reset). */
export type UserEnabledData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/** The event `user.enabled`: the panel switched an account back on (renewal, usage reset). */
export type UserEnabledEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.enabled";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserEnabledData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `user.expired` tells: an account was switched off for a date; reason: its own (expiry), or
 * its reseller's (resale-expiry).
 */
export type UserExpiredData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** Why the account was switched off. */
  readonly reason?: "manual" | "volume" | "expiry" | "resale-volume" | "resale-expiry";
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/**
 * The event `user.expired`: an account was switched off for a date; reason: its own (expiry), or
 * its reseller's (resale-expiry).
 */
export type UserExpiredEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.expired";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserExpiredData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `user.expiring` tells: an account entered a days-before-expiry window; once per window. */
export type UserExpiringData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
  /** Whole days to the end. */
  readonly daysLeft?: number;
  /** The threshold that was crossed. */
  readonly threshold?: number;
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/** The event `user.expiring`: an account entered a days-before-expiry window; once per window. */
export type UserExpiringEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.expiring";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserExpiringData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type UserExtension = {
  /** added to `volume`; an unlimited one stays */
  readonly bytes?: number;
  /** added to the later of now and `expiry`; to `duration` where the account has not started */
  readonly seconds?: number;
};

/** What `user.first_fetch` tells: a client took the configurations for the first time. */
export type UserFirstFetchData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** What the client called itself. */
  readonly client?: string;
};

/** The event `user.first_fetch`: a client took the configurations for the first time. */
export type UserFirstFetchEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.first_fetch";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserFirstFetchData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type UserGenerateBody = {
  /** Bytes that may be used; 0: no limit. */
  readonly volume?: number;
  /** Bytes a second, each way and on each node; 0: no limit. */
  readonly speedLimit?: number;
  /** Source addresses at once over all nodes, IPv6 counted by /64; 0: no limit. */
  readonly ipLimit?: number;
  /** Devices that may fetch the subscription; 0: no limit. */
  readonly deviceLimit?: number;
  /** Whether the counters are set to 0 from time to time; `false` where it is left out. */
  readonly autoReset?: boolean;
  /** Days of a cycle, where `resetPeriod` is empty; 0: no cycle. */
  readonly resetDays?: number;
  /** The calendar's cycle; empty: `resetDays` is the cycle. */
  readonly resetPeriod?: "" | "weekly" | "monthly" | "yearly";
  /** The day on which a cycle begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years. */
  readonly resetStartDay?: number;
  /** The month in which a year's cycle begins, 1 to 12; 0: none. */
  readonly resetStartMonth?: number;
  /** The calendar of months and years; empty: the Gregorian. */
  readonly resetCalendar?: "" | "jalali";
  /** Whether the account is served by every template; on where neither it nor `templateIds` is named. */
  readonly allTemplates?: boolean;
  /** Templates that serve the account, where `allTemplates` is off. */
  readonly templateIds?: readonly number[];
  /** Its inbounds, in the order that is wanted. */
  readonly inboundIds?: readonly number[] | null;
  /** Whether the account is switched on. Left out: on in a create, off in a full replace. */
  readonly enable?: boolean;
  /** What it is for, in words. */
  readonly desc?: string;
  /** A label to find accounts by; empty: none. */
  readonly group?: string;
  /** How to reach the person: `email`, `phone`, `telegram_id` and others. */
  readonly contact?: { readonly [name: string]: string | number | boolean } | null;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
  /**
   * Seconds from the first connection to the end; 0: the end is `expiry`. Setting it begins the plan
   * again.
   */
  readonly duration?: number;
  /** The plan; 0: none. */
  readonly planId?: number;
  /** days that a renewal adds where it names none; 0 or absent: those of the plan or of `duration` */
  readonly termDays?: number;
  /** `flow` alone: credentials are made at random. */
  readonly config?: {
    /** The flow of VLESS; empty: none. */
    readonly flow?: "" | "xtls-rprx-vision" | "xtls-rprx-vision-udp443";
  };
  /** `{n}` is a number, `{n:4}` one of four digits, `{rand:6}` six random letters and digits. */
  readonly pattern: string;
  /** How many. */
  readonly count: number;
  /** The first number; absent = 1. */
  readonly start?: number;
};

export type UserGenerateResult = {
  /** Users that were made. */
  readonly created: number;
  /** Names that were taken. */
  readonly skipped: number;
  /** Users that were refused for another reason. */
  readonly failed: number;
  /** Those that were made, in the order of their ids. */
  readonly users: readonly GeneratedUser[];
  /** The first hundred that were refused; `id` is the place in the row, from 1. */
  readonly problems: readonly JobProblem[];
  /** The job that did it. */
  readonly job: number;
  /** Why it stopped before its end; absent where it did not. */
  readonly error?: string;
};

/** What `user.generated` tells: a batch was generated from a pattern. */
export type UserGeneratedData = {
  /** The pattern of the names. */
  readonly pattern?: string;
  /** How many there are. */
  readonly count?: number;
  /** Names that were taken. */
  readonly skipped?: number;
  /** The plan; 0: none. */
  readonly planId?: number;
  /** Who or what caused it. */
  readonly actor?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
};

/** The event `user.generated`: a batch was generated from a pattern. */
export type UserGeneratedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.generated";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserGeneratedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type UserImportAssumption = {
  /** The field of which it is so. */
  readonly field: string;
  /**
   * `empty_unlimited`: an empty cell is unlimited; `absent_unlimited`: new users are unlimited, as
   * no column says otherwise; `date`, `persian_date`: a day in the zone that `value` names;
   * `size_1024`: a unit such as GB in powers of 1024.
   */
  readonly code: "empty_unlimited" | "absent_unlimited" | "date" | "persian_date" | "size_1024";
  /** The zone of a date; else empty. */
  readonly value: string;
  /** Lines of which it is so. */
  readonly lines: number;
};

export type UserImportLine = {
  /** The line of the file, from 1. */
  readonly line: number;
  /** `skipped`: its user is there and stays as it is. */
  readonly outcome: "skipped" | "refused";
  /** The name in it; empty where it could not be read. */
  readonly name: string;
  /** The first field that was refused; empty: none. */
  readonly field: string;
  /** Why, for programs. */
  readonly code: string;
  /** What was read there; empty: nothing, or a secret. */
  readonly value: string;
  /** Why, as a sentence. */
  readonly error: string;
  /** Each field that was refused, the first five. */
  readonly issues?: readonly {
    /** The field. */
    readonly path: string;
    /** What is wrong with it. */
    readonly message: string;
    /** The rule that it broke. */
    readonly code?: string;
    /** What the rule says beside its name. */
    readonly values?: readonly (string | number)[];
  }[];
};

export type UserImportLines = {
  /** Lines that were skipped or refused. */
  readonly total: number;
  /** The first of them, in the order of the file. */
  readonly lines: readonly UserImportLine[];
};

export type UserImportProblem = {
  /** Why it was left as it is. */
  readonly error: string;
  /** The same for programs. */
  readonly code: string;
  /** The first field that was refused. */
  readonly field?: string;
  /** Of an import: what was read of that field; absent for secrets. */
  readonly value?: string;
  /** Each field that was refused, the first five. */
  readonly issues?: readonly {
    /** The field. */
    readonly path: string;
    /** What is wrong with it. */
    readonly message: string;
    /** The rule that it broke. */
    readonly code?: string;
    /** What the rule says beside its name. */
    readonly values?: readonly (string | number)[];
  }[];
  /** The line of the file, from 1. */
  readonly line: number;
};

export type UserImportResult = {
  /** Users that were made. */
  readonly created: number;
  /** Users that were there and were changed. */
  readonly updated: number;
  /** Lines whose user was there and stayed as it was. */
  readonly skipped: number;
  /** Lines that were refused. */
  readonly failed: number;
  /** The first hundred that were refused. */
  readonly problems: readonly UserImportProblem[];
  /** Columns of the table that are no field, and were not read. */
  readonly unknownColumns: readonly string[];
  /** The job that did it. */
  readonly job: number;
  /** Why it stopped before its end; absent where it did not. */
  readonly error?: string;
};

export type UserImportTrial = {
  /** Lines with text, without a table's head. */
  readonly lines: number;
  /** Users that would be made. */
  readonly create: number;
  /** Users that are there and would be changed. */
  readonly update: number;
  /** Lines whose user is there and would stay as it is. */
  readonly skip: number;
  /** Lines that would be refused. */
  readonly fail: number;
  /** One for each field of each line that would be refused, the first 20,000. */
  readonly problems: readonly UserImportTrialProblem[];
  /** Columns or fields that are none of a user, and would not be read. */
  readonly unknownColumns: readonly string[];
  /** What the file does not say by itself. */
  readonly assumed: readonly UserImportAssumption[];
};

export type UserImportTrialProblem = {
  /** The line of the file, from 1. */
  readonly line: number;
  /** The name in it; empty where it could not be read. */
  readonly name: string;
  /** The field that would be refused; empty: none. */
  readonly field: string;
  /** What was read there; empty for secrets. */
  readonly value: string;
  /** Why, for programs. */
  readonly code: string;
  /** Why, as a sentence. */
  readonly error: string;
  /** What the rule says beside its name. */
  readonly values?: readonly (string | number)[];
};

export type UserNodeUsage = {
  /** Unix seconds at which the range begins; together with `end`. */
  readonly start: number;
  /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
  readonly end: number;
  /** Rows that were restored. */
  readonly rows: readonly NodeTraffic[];
  /** There are more rows than `limit`, which is 100 unless said. */
  readonly more: boolean;
};

/** One page of a list. */
export type UserPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly User[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

/** Exactly these fields of a user. What is left out is kept; what is not known is refused. */
export type UserPatch = {
  /** Bytes that may be used; 0: no limit. */
  readonly volume?: number;
  /** Bytes a second, each way and on each node; 0: no limit. */
  readonly speedLimit?: number;
  /** Source addresses at once over all nodes, IPv6 counted by /64; 0: no limit. */
  readonly ipLimit?: number;
  /** Devices that may fetch the subscription; 0: no limit. */
  readonly deviceLimit?: number;
  /** Whether the counters are set to 0 from time to time; `false` where it is left out. */
  readonly autoReset?: boolean;
  /** Days of a cycle, where `resetPeriod` is empty; 0: no cycle. */
  readonly resetDays?: number;
  /** The calendar's cycle; empty: `resetDays` is the cycle. */
  readonly resetPeriod?: "" | "weekly" | "monthly" | "yearly";
  /** The day on which a cycle begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years. */
  readonly resetStartDay?: number;
  /** The month in which a year's cycle begins, 1 to 12; 0: none. */
  readonly resetStartMonth?: number;
  /** The calendar of months and years; empty: the Gregorian. */
  readonly resetCalendar?: "" | "jalali";
  /** Whether the account is served by every template; on where neither it nor `templateIds` is named. */
  readonly allTemplates?: boolean;
  /** Templates that serve the account, where `allTemplates` is off. */
  readonly templateIds?: readonly number[];
  /**
   * The only inbounds of its templates that the account may use; null: all of them, an empty list:
   * none. An inbound that is deleted leaves the list.
   */
  readonly inboundIds?: readonly number[] | null;
  /** What people call it. */
  readonly name?: string;
  /** Switches the account on or off. */
  readonly enable?: boolean;
  /** Credentials to take; what is left out is kept. */
  readonly config?: {
    /** The UUID for VLESS, VMess and TUIC. */
    readonly uuid?: string;
    /** The password for Trojan, Hysteria and the like. */
    readonly password?: string;
    /** The Shadowsocks 2022 key of 16 bytes, in base64. */
    readonly ss16?: string;
    /** The Shadowsocks 2022 key of 32 bytes, in base64. */
    readonly ss32?: string;
    /** The flow of VLESS; empty: none. */
    readonly flow?: "" | "xtls-rprx-vision" | "xtls-rprx-vision-udp443";
    /**
     * Credentials for one protocol alone, by its name; they win there. Written as a whole, null or
     * empty takes them away.
     */
    readonly by?: CredentialsByProtocol | null;
  };
  /** A note; empty: none. */
  readonly desc?: string;
  /** A label to find accounts by; empty: none. */
  readonly group?: string;
  /** How to reach the person: `email`, `phone`, `telegram_id` and others. */
  readonly contact?: { readonly [name: string]: string | number | boolean } | null;
  /** The operator that owns the account; 0: the panel. */
  readonly adminId?: number;
  /** The name of the subscription in its address; made at random where it is left out or empty. */
  readonly subId?: string;
  /** What a shop calls the account, its own among all accounts; empty: none. */
  readonly externalId?: string;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
  /**
   * Seconds from the first connection to the end; 0: the end is `expiry`. Setting it begins the plan
   * again.
   */
  readonly duration?: number;
  /** Unix seconds of the first connection; 0: it is still to come. */
  readonly activatedAt?: number;
  /** Unix seconds at which the counters are next set to 0; 0: they are not. */
  readonly nextReset?: number;
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};

export type UserPatchOfMany = {
  /** Bytes that may be used; 0: no limit. */
  readonly volume?: number;
  /** Bytes a second, each way and on each node; 0: no limit. */
  readonly speedLimit?: number;
  /** Source addresses at once over all nodes, IPv6 counted by /64; 0: no limit. */
  readonly ipLimit?: number;
  /** Devices that may fetch the subscription; 0: no limit. */
  readonly deviceLimit?: number;
  /** Whether the counters are set to 0 from time to time; `false` where it is left out. */
  readonly autoReset?: boolean;
  /** Days of a cycle, where `resetPeriod` is empty; 0: no cycle. */
  readonly resetDays?: number;
  /** The calendar's cycle; empty: `resetDays` is the cycle. */
  readonly resetPeriod?: "" | "weekly" | "monthly" | "yearly";
  /** The day on which a cycle begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years. */
  readonly resetStartDay?: number;
  /** The month in which a year's cycle begins, 1 to 12; 0: none. */
  readonly resetStartMonth?: number;
  /** The calendar of months and years; empty: the Gregorian. */
  readonly resetCalendar?: "" | "jalali";
  /** Whether the account is served by every template; on where neither it nor `templateIds` is named. */
  readonly allTemplates?: boolean;
  /** Templates that serve the account, where `allTemplates` is off. */
  readonly templateIds?: readonly number[];
  /**
   * The only inbounds of its templates that the account may use; null: all of them, an empty list:
   * none. An inbound that is deleted leaves the list.
   */
  readonly inboundIds?: readonly number[] | null;
  /** Whether the account is switched on. Left out: on in a create, off in a full replace. */
  readonly enable?: boolean;
  /** What it is for, in words. */
  readonly desc?: string;
  /** A label to find accounts by; empty: none. */
  readonly group?: string;
  /** How to reach the person: `email`, `phone`, `telegram_id` and others. */
  readonly contact?: { readonly [name: string]: string | number | boolean } | null;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** What a shop calls the account, its own among all accounts; empty: none. */
  readonly externalId?: string;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
  /**
   * Seconds from the first connection to the end; 0: the end is `expiry`. Setting it begins the plan
   * again.
   */
  readonly duration?: number;
  /** Unix seconds of the first connection; 0: not yet. */
  readonly activatedAt?: number;
  /** Unix seconds at which the counters are next set to 0; 0: they are not. */
  readonly nextReset?: number;
};

/**
 * What `user.quota_reached` tells: an account was switched off for traffic; reason: its own
 * (volume), or its reseller's allowance (resale-volume).
 */
export type UserQuotaReachedData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** Why the account was switched off. */
  readonly reason?: "manual" | "volume" | "expiry" | "resale-volume" | "resale-expiry";
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/**
 * The event `user.quota_reached`: an account was switched off for traffic; reason: its own
 * (volume), or its reseller's allowance (resale-volume).
 */
export type UserQuotaReachedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.quota_reached";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserQuotaReachedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * What `user.quota_warning` tells: usage crossed the traffic-used threshold; once per cap and
 * threshold.
 */
export type UserQuotaWarningData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** How much of the volume is used, in percent. */
  readonly usedPercent?: number;
  /** The threshold that was crossed. */
  readonly threshold?: number;
  /** Bytes that were used. */
  readonly used?: number;
  /** Bytes that may be used; 0: no limit. */
  readonly volume?: number;
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/**
 * The event `user.quota_warning`: usage crossed the traffic-used threshold; once per cap and
 * threshold.
 */
export type UserQuotaWarningEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.quota_warning";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserQuotaWarningData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type UserRecord = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** Whether the account is switched on. Left out: on in a create, off in a full replace. */
  readonly enable: boolean;
  /** Why the account is off; empty while it is on. */
  readonly disabledReason: "" | "manual" | "volume" | "expiry" | "resale-volume" | "resale-expiry";
  /** The fragment of configuration, in the form of the engine's own (docs/engines.md). */
  readonly config: {
    /** The UUID for VLESS, VMess and TUIC. */
    readonly uuid: string;
    /** The password for Trojan, Hysteria and the like. */
    readonly password: string;
    /** The Shadowsocks 2022 key of 16 bytes, in base64. */
    readonly ss16: string;
    /** The Shadowsocks 2022 key of 32 bytes, in base64. */
    readonly ss32: string;
    /** The flow of VLESS; empty: none. */
    readonly flow?: string;
    /**
     * Credentials for one protocol alone, by its name; they win there. Written as a whole, null or
     * empty takes them away.
     */
    readonly by?: { readonly [name: string]: OwnCredentials };
  };
  /** What it is for, in words. */
  readonly desc: string;
  /** How to reach the person: `email`, `phone`, `telegram_id` and others. */
  readonly contact: { readonly [name: string]: string };
  /** The secret part of the subscription's address. */
  readonly subToken: string;
  /** The name of the subscription in its address; made at random where it is left out or empty. */
  readonly subId: string;
  /** a shop's own reference, unique where set; empty: none */
  readonly externalId: string;
  /** A note of one line; empty: none. */
  readonly remark: string;
  /** Bytes that may be used; 0: no limit. */
  readonly volume: number;
  /** Bytes a second, each way and on each node; 0: no limit. */
  readonly speedLimit: number;
  /** Source addresses at once over all nodes, IPv6 counted by /64; 0: no limit. */
  readonly ipLimit: number;
  /** Devices that may fetch the subscription; 0: no limit. */
  readonly deviceLimit: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry: number;
  /**
   * Seconds from the first connection to the end; 0: the end is `expiry`. Setting it begins the plan
   * again.
   */
  readonly duration: number;
  /**
   * seconds that a renewal adds to the end, as they were sold; 0: none are known, a renewal then
   * needs `days` or a `planId`
   */
  readonly term: number;
  /** Unix seconds of the first connection; 0: not yet. */
  readonly activatedAt: number;
  /** Bytes sent. */
  readonly up: number;
  /** Bytes received. */
  readonly down: number;
  /** Unix seconds of the last traffic; 0: never. An account is online for 90 seconds after it. */
  readonly onlineAt: number;
  /** Unix seconds at which a client last took the subscription; 0: never. */
  readonly subFetchedAt: number;
  /** Unix seconds of the last request of any kind to the subscription; 0: never. */
  readonly subSeenAt: number;
  /** What the last client called itself; empty: none came. */
  readonly subClient: string;
  /** The address of the last fetch; empty: none. */
  readonly subFetchIp: string;
  /** The tag of the inbound of the last connection; empty: none. */
  readonly lastInbound: string;
  /** Whether the counters are set to 0 from time to time; `false` where it is left out. */
  readonly autoReset: boolean;
  /** Days of a cycle, where `resetPeriod` is empty; 0: no cycle. */
  readonly resetDays: number;
  /** The calendar's cycle; empty: `resetDays` is the cycle. */
  readonly resetPeriod: "" | "weekly" | "monthly" | "yearly";
  /** The day on which a cycle begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years. */
  readonly resetStartDay: number;
  /** The month in which a year's cycle begins, 1 to 12; 0: none. */
  readonly resetStartMonth: number;
  /** The calendar of months and years; empty: the Gregorian. */
  readonly resetCalendar: "" | "jalali";
  /** Unix seconds at which the counters are next set to 0; 0: they are not. */
  readonly nextReset: number;
  /** Bytes sent in all. */
  readonly totalUp: number;
  /** Bytes received in all. */
  readonly totalDown: number;
  /** A label to find accounts by; empty: none. */
  readonly group: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId: number;
  /** Whether the account is served by every template; on where neither it nor `templateIds` is named. */
  readonly allTemplates: boolean;
  /** Templates that serve the account, where `allTemplates` is off. */
  readonly templateIds: readonly number[];
  /**
   * The only inbounds of its templates that the account may use; null: all of them, an empty list:
   * none. An inbound that is deleted leaves the list.
   */
  readonly inboundIds: readonly number[] | null;
  /** The address of the subscription. Take it as it is: it may have a host of its own. */
  readonly subUrl: string;
  /** Whether the licence covers it. */
  readonly licensed: boolean;
  /** when the account came into the state that it is in */
  readonly since: number;
  /**
   * who switched it off, for callers with `stats:read`; empty where nobody did, or it is no longer
   * known
   */
  readonly offBy: string;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
  /**
   * links that import the subscription without showing its address, new ones each time; absent
   * without keys
   */
  readonly importLinks?: {
    /** opens the subscription in Happ; empty without the app's key */
    readonly happ: string;
    /** opens the subscription in INCY; empty without the app's key */
    readonly incy: string;
  };
};

export type UserRenewal = {
  /** by this plan: its limits and its length */
  readonly planId?: number;
  /** by so many days, which become the account's term */
  readonly days?: number;
  /** the new end, in place of one more term; not for an account that has not started */
  readonly expiry?: number;
};

/**
 * What `user.renewed` tells: account renewed; extended says that volume or time was added to what
 * it had.
 */
export type UserRenewedData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
  /** Bytes that may be used; 0: no limit. */
  readonly volume?: number;
  /** Whether volume or time was added to what there was. */
  readonly extended?: boolean;
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/**
 * The event `user.renewed`: account renewed; extended says that volume or time was added to what
 * it had.
 */
export type UserRenewedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.renewed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserRenewedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/**
 * All fields of a user. What is left out is as in a new one, but for credentials, `subId` and
 * `adminId`.
 */
export type UserReplace = {
  /** Bytes that may be used; 0: no limit. */
  readonly volume?: number;
  /** Bytes a second, each way and on each node; 0: no limit. */
  readonly speedLimit?: number;
  /** Source addresses at once over all nodes, IPv6 counted by /64; 0: no limit. */
  readonly ipLimit?: number;
  /** Devices that may fetch the subscription; 0: no limit. */
  readonly deviceLimit?: number;
  /** Whether the counters are set to 0 from time to time; `false` where it is left out. */
  readonly autoReset?: boolean;
  /** Days of a cycle, where `resetPeriod` is empty; 0: no cycle. */
  readonly resetDays?: number;
  /** The calendar's cycle; empty: `resetDays` is the cycle. */
  readonly resetPeriod?: "" | "weekly" | "monthly" | "yearly";
  /** The day on which a cycle begins: 0 (Sunday) to 6 in weeks, 1 to 31 in months and years. */
  readonly resetStartDay?: number;
  /** The month in which a year's cycle begins, 1 to 12; 0: none. */
  readonly resetStartMonth?: number;
  /** The calendar of months and years; empty: the Gregorian. */
  readonly resetCalendar?: "" | "jalali";
  /** Whether the account is served by every template; on where neither it nor `templateIds` is named. */
  readonly allTemplates?: boolean;
  /** Templates that serve the account, where `allTemplates` is off. */
  readonly templateIds?: readonly number[];
  /**
   * The only inbounds of its templates that the account may use; null: all of them, an empty list:
   * none. An inbound that is deleted leaves the list.
   */
  readonly inboundIds?: readonly number[] | null;
  /** What people call it. */
  readonly name: string;
  /** Whether the account is switched on. Left out: on in a create, off in a full replace. */
  readonly enable?: boolean;
  /** Credentials to take; what is left out is kept. */
  readonly config?: {
    /** The UUID for VLESS, VMess and TUIC. */
    readonly uuid?: string;
    /** The password for Trojan, Hysteria and the like. */
    readonly password?: string;
    /** The Shadowsocks 2022 key of 16 bytes, in base64. */
    readonly ss16?: string;
    /** The Shadowsocks 2022 key of 32 bytes, in base64. */
    readonly ss32?: string;
    /** The flow of VLESS; empty: none. */
    readonly flow?: "" | "xtls-rprx-vision" | "xtls-rprx-vision-udp443";
    /**
     * Credentials for one protocol alone, by its name; they win there. Written as a whole, null or
     * empty takes them away.
     */
    readonly by?: CredentialsByProtocol | null;
  } | null;
  /** A note; empty: none. */
  readonly desc?: string;
  /** A label to find accounts by; empty: none. */
  readonly group?: string;
  /** How to reach the person: `email`, `phone`, `telegram_id` and others. */
  readonly contact?: { readonly [name: string]: string | number | boolean } | null;
  /** The operator that owns the account; 0: the panel. Kept where it is left out. */
  readonly adminId?: number;
  /** The name of the subscription in its address; made at random where it is left out or empty. */
  readonly subId?: string | null;
  /** What a shop calls the account, its own among all accounts; empty: none. */
  readonly externalId?: string;
  /** A note of one line; empty: none. */
  readonly remark?: string;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry?: number;
  /**
   * Seconds from the first connection to the end; 0: the end is `expiry`. Setting it begins the plan
   * again.
   */
  readonly duration?: number;
};

export type UserReport = {
  /** Unix seconds at which the range begins; together with `end`. */
  readonly start: number;
  /** Unix seconds at which the range ends, at most 400 days later; together with `start`. */
  readonly end: number;
  /** The time zone in which days begin. */
  readonly zone: string;
  /** Bytes sent. */
  readonly up: number;
  /** Bytes received. */
  readonly down: number;
  /** Rows that were restored. */
  readonly rows: readonly UserReportRow[];
};

export type UserReportRow = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId: number | null;
  /** A label to find accounts by; empty: none. */
  readonly group: string | null;
  /** Bytes sent. */
  readonly up: number;
  /** Bytes received. */
  readonly down: number;
  /** The share of all that moved, 0 to 1. */
  readonly share: number;
  /** Bytes that may be used; 0: no limit. */
  readonly volume: number | null;
  /** How much of it is used. */
  readonly used: number | null;
  /** Unix seconds at which it ends; 0: never. */
  readonly expiry: number | null;
  /** How the account stands. */
  readonly status: string | null;
};

/** What is to be other than it was; the body may be left out. */
export type UserRestoration = {
  /** Another name; left out: the one that it had. */
  readonly name?: string;
  /** Another name of the subscription; left out: the one that it had. */
  readonly subId?: string;
  /** Another reference; empty: none; left out: the one that it had. */
  readonly externalId?: string;
  /** Also a new uuid, password and keys; absent = false. */
  readonly credentials?: boolean;
};

export type UserRestorationResult = {
  /** What was done. */
  readonly op: "restore";
  /** Users that were there to be restored. */
  readonly matched: number;
  /** Users that are back. */
  readonly affected: number;
  /** Users that a value that is taken, or a limit of their owner, kept back. */
  readonly blocked: number;
  /** Users that were refused for another reason, or are not there. */
  readonly failed: number;
  /** The first hundred that were blocked or failed. */
  readonly problems: readonly JobProblem[];
  /** The job that did it. */
  readonly job: number;
  /** Why it stopped before its end; absent where it did not. */
  readonly error?: string;
};

/** Deleted users to bring back. */
export type UserRestorations = {
  /** Deleted users. */
  readonly ids: readonly number[];
};

/**
 * What `user.restored` tells: a deleted account was put back; changed names the fields that hold
 * something.
 */
export type UserRestoredData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/**
 * The event `user.restored`: a deleted account was put back; changed names the fields that hold
 * something.
 */
export type UserRestoredEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.restored";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserRestoredData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What `user.resumed` tells: a person switched an account on. */
export type UserResumedData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/** The event `user.resumed`: a person switched an account on. */
export type UserResumedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.resumed";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserResumedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type UserRotation = {
  /** also a new uuid, password and keys; absent = false */
  readonly credentials?: boolean;
  /** also close what is open on the nodes; absent = false */
  readonly closeSessions?: boolean;
  /** also forget the devices that have places; absent = false */
  readonly devices?: boolean;
};

export type UserSubFormats = {
  /** servers of the account, in whatever format */
  readonly servers: number;
  /** Each format with its own address. */
  readonly formats: readonly {
    /** The name of the format. */
    readonly format: "links" | "base64" | "clash" | "singbox" | "xray";
    /** The address of the subscription in this format. */
    readonly url: string;
    /** how many of them the format can say */
    readonly servers: number;
  }[];
};

export type UserSummary = {
  /** Accounts in all. */
  readonly total: number;
  /** Accounts that are served. */
  readonly active: number;
  /** Accounts that are switched off. */
  readonly disabled: number;
  /** Accounts that wait for their first connection. */
  readonly pending: number;
  /** Accounts whose time is over. */
  readonly expired: number;
  /** Accounts whose volume is used up. */
  readonly limited: number;
  /** Accounts with traffic in the last 90 seconds. */
  readonly online: number;
  /** Accounts by their label. */
  readonly groups: readonly {
    /** A label to find accounts by; empty: none. */
    readonly group: string;
    /** How many there are. */
    readonly count: number;
  }[];
  /** the disabled ones by their reason, with `by=reason` */
  readonly reasons?: readonly {
    /** Why they are off. */
    readonly reason: "" | "manual" | "volume" | "expiry" | "resale-volume" | "resale-expiry";
    /** How many there are. */
    readonly count: number;
  }[];
};

/** What `user.suspended` tells: a person switched an account off. */
export type UserSuspendedData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/** The event `user.suspended`: a person switched an account off. */
export type UserSuspendedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.suspended";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserSuspendedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

export type UserTraffic = {
  /** The user's id. */
  readonly userId: number;
  /** What people call it. */
  readonly name: string;
  /** Bytes sent. */
  readonly up: number;
  /** Bytes received. */
  readonly down: number;
};

/**
 * What `user.updated` tells: fields of an account were written, and no other event of the change
 * tells of it.
 */
export type UserUpdatedData = {
  /** The user's id. */
  readonly userId?: number;
  /** What people call it. */
  readonly name?: string;
  /** The operator's id; 0: the panel itself. */
  readonly adminId?: number;
  /** The fields that have changed, by name; counters are not among them. */
  readonly changed?: readonly string[];
};

/**
 * The event `user.updated`: fields of an account were written, and no other event of the change
 * tells of it.
 */
export type UserUpdatedEvent = {
  /** The version of the envelope: 1. */
  readonly v: 1;
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event. */
  readonly event: "user.updated";
  /** Unix seconds at which it happened. */
  readonly time: number;
  /** What happened; its members follow from `event`. */
  readonly data: UserUpdatedData;
  /** Accounts that it concerns; absent: it concerns the panel. */
  readonly recipients?: readonly number[];
};

/** What stands between an account and a connection. */
export type UserVerdict = {
  /** Whether no check failed. */
  readonly ok: boolean;
  /** What failed, in a sentence. */
  readonly headline: string;
  /** What was looked at, in order. */
  readonly checks: readonly VerdictCheck[];
};

/** A request below the API's prefix. */
export type VerdictAction = {
  /** Its method. */
  readonly method: "POST" | "PUT" | "PATCH";
  /** Its path, without the prefix. */
  readonly path: string;
};

/** One thing that was looked at. */
export type VerdictCheck = {
  /** What was looked at. */
  readonly check:
    | "enabled"
    | "started"
    | "date"
    | "volume"
    | "reseller"
    | "licence"
    | "served"
    | "applied"
    | "listening"
    | "fetched"
    | "devices"
    | "addresses"
    | "refused";
  /** What was found; `unknown`: the panel does not see it, or it has not happened yet. */
  readonly state: "ok" | "failed" | "unknown";
  /** The same in a sentence; empty where nothing is wrong. */
  readonly text: string;
  /** The same for programs. */
  readonly code:
    | "ok"
    | "unknown"
    | "manual"
    | "not_started"
    | "expired"
    | "used_up"
    | "reseller_volume"
    | "reseller_expiry"
    | "no_template"
    | "no_templates"
    | "no_inbound"
    | "none_chosen"
    | "on_loopback"
    | "no_node"
    | "not_connected"
    | "not_running"
    | "some_nodes"
    | "behind"
    | "unacknowledged"
    | "not_listening"
    | "some_left_out"
    | "never_fetched"
    | "devices_full"
    | "no_device_id";
  /** The figures of the sentence, in its order. */
  readonly values: readonly (string | number)[];
  /** Unix seconds since when; 0: not known. */
  readonly since: number;
  /** The request that would mend it; null: there is no single one. */
  readonly action: VerdictAction | null;
};

/** The refusal `version_conflict`: the record was changed meanwhile. */
export type VersionConflict = {
  /** What was refused, for people. */
  readonly error: string;
  /** Which refusal this is. */
  readonly code: "version_conflict";
  /** The record as it is now, in the form in which the route answers it. */
  readonly current: { readonly [name: string]: unknown };
};

export type VersionConflictOrInProgressOrError = VersionConflict | InProgress | Error;

export type VersionConflictOrInProgressOrInUseOrError = VersionConflict | InProgress | InUse | Error;

export type Webhook = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** What people call it. */
  readonly name: string;
  /** Where deliveries are sent: an absolute http(s) address. */
  readonly url: string;
  /** Whether deliveries are signed. */
  readonly secretSet: boolean;
  /** Events that it hears: names, or families as `user.*`. None: every one. */
  readonly events: readonly string[];
  /** Whether it hears of its own account's users alone. */
  readonly ownOnly: boolean;
  /** The account whose rights it hears with. */
  readonly adminId: number;
  /** Whether it is switched on. */
  readonly enabled: boolean;
  /** HTTP status of the last attempt; 0 = not answered or never tried */
  readonly lastStatus: number;
  /** 0 = never */
  readonly lastDeliveredAt: number;
  /** deliveries still to be sent */
  readonly pending: number;
  /** the last attempt failed */
  readonly failing: boolean;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** Unix seconds of the last change. */
  readonly updatedAt: number;
};

/**
 * An absent or empty `events` hears everything; an absent or empty `secret` leaves deliveries
 * unsigned.
 */
export type WebhookCreate = {
  /** What people call it. */
  readonly name: string;
  /** Where deliveries are sent: an absolute http(s) address. */
  readonly url: string;
  /** The key of the signature. Empty: deliveries are not signed; in a change: it is kept. */
  readonly secret?: string;
  /** Events that it hears: names, or families as `user.*`. None: every one. */
  readonly events?: readonly string[];
  /** Whether it hears of its own account's users alone. */
  readonly ownOnly?: boolean;
  /** The account whose rights it hears with; 0 or left out: the caller. */
  readonly adminId?: number;
  /** Whether it is switched on. */
  readonly enabled?: boolean;
};

export type WebhookDelivery = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event's id. */
  readonly eventId: number;
  /** The event's name. */
  readonly event:
    | "admin.login"
    | "admin.login_failed"
    | "admin.login_new_ip"
    | "admin.2fa_changed"
    | "admin.owner_changed"
    | "admin.resale_cap_reached"
    | "panel.started"
    | "panel.stopping"
    | "panel.crashed"
    | "panel.setup_completed"
    | "panel.settings_changed"
    | "panel.restore_applied"
    | "panel.cert_renewed"
    | "panel.cert_renew_failed"
    | "panel.cert_expiring"
    | "panel.ruleset_refresh_failed"
    | "panel.update_available"
    | "panel.license_changed"
    | "panel.license_expiring"
    | "panel.license_unverified"
    | "panel.ip_banned"
    | "panel.addon_registered"
    | "panel.addon_removed"
    | "panel.addon_unhealthy"
    | "panel.addon_recovered"
    | "panel.addon_update_waiting"
    | "user.created"
    | "user.updated"
    | "user.deleted"
    | "user.restored"
    | "user.enabled"
    | "user.disabled"
    | "user.suspended"
    | "user.resumed"
    | "user.quota_reached"
    | "user.expired"
    | "user.quota_warning"
    | "user.expiring"
    | "user.renewed"
    | "user.activated"
    | "user.first_fetch"
    | "user.device_limit_reached"
    | "user.bulk"
    | "user.generated"
    | "node.connected"
    | "node.disconnected"
    | "node.limit_reached"
    | "node.usage_refused"
    | "node.disk_high"
    | "node.disk_recovered"
    | "node.memory_high"
    | "node.memory_recovered"
    | "node.rejections_high"
    | "panel.ping"
    | "panel.backup_done"
    | "panel.backup_failed"
    | "panel.backup_upload_failed";
  /** `pending`: still to be sent; `delivered`; `dead`: given up. */
  readonly state: "pending" | "delivered" | "dead";
  /** Attempts so far. */
  readonly attempts: number;
  /** HTTP status of the last attempt; 0: not answered, or never tried. */
  readonly lastStatus: number;
  /** What the last attempt met; empty: nothing. */
  readonly lastError: string;
  /** Why the last attempt failed, for programs; null: it did not, or an older panel wrote it. */
  readonly lastFailure: WebhookDeliveryFailure | null;
  /** 0 unless pending */
  readonly nextAttemptAt: number;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** 0 = never */
  readonly deliveredAt: number;
};

/** One delivery with what was sent last and what came back. */
export type WebhookDeliveryDetail = {
  /** The record's id. Never given to another one. */
  readonly id: number;
  /** The event's id. */
  readonly eventId: number;
  /** The event's name. */
  readonly event:
    | "admin.login"
    | "admin.login_failed"
    | "admin.login_new_ip"
    | "admin.2fa_changed"
    | "admin.owner_changed"
    | "admin.resale_cap_reached"
    | "panel.started"
    | "panel.stopping"
    | "panel.crashed"
    | "panel.setup_completed"
    | "panel.settings_changed"
    | "panel.restore_applied"
    | "panel.cert_renewed"
    | "panel.cert_renew_failed"
    | "panel.cert_expiring"
    | "panel.ruleset_refresh_failed"
    | "panel.update_available"
    | "panel.license_changed"
    | "panel.license_expiring"
    | "panel.license_unverified"
    | "panel.ip_banned"
    | "panel.addon_registered"
    | "panel.addon_removed"
    | "panel.addon_unhealthy"
    | "panel.addon_recovered"
    | "panel.addon_update_waiting"
    | "user.created"
    | "user.updated"
    | "user.deleted"
    | "user.restored"
    | "user.enabled"
    | "user.disabled"
    | "user.suspended"
    | "user.resumed"
    | "user.quota_reached"
    | "user.expired"
    | "user.quota_warning"
    | "user.expiring"
    | "user.renewed"
    | "user.activated"
    | "user.first_fetch"
    | "user.device_limit_reached"
    | "user.bulk"
    | "user.generated"
    | "node.connected"
    | "node.disconnected"
    | "node.limit_reached"
    | "node.usage_refused"
    | "node.disk_high"
    | "node.disk_recovered"
    | "node.memory_high"
    | "node.memory_recovered"
    | "node.rejections_high"
    | "panel.ping"
    | "panel.backup_done"
    | "panel.backup_failed"
    | "panel.backup_upload_failed";
  /** `pending`: still to be sent; `delivered`; `dead`: given up. */
  readonly state: "pending" | "delivered" | "dead";
  /** Attempts so far. */
  readonly attempts: number;
  /** HTTP status of the last attempt; 0: not answered, or never tried. */
  readonly lastStatus: number;
  /** What the last attempt met; empty: nothing. */
  readonly lastError: string;
  /** Why the last attempt failed, for programs; null: it did not, or an older panel wrote it. */
  readonly lastFailure: WebhookDeliveryFailure | null;
  /** 0 unless pending */
  readonly nextAttemptAt: number;
  /** Unix seconds at which it was made. */
  readonly createdAt: number;
  /** 0 = never */
  readonly deliveredAt: number;
  /**
   * What was sent last, or will be sent first; null where it is withheld or its event is not kept
   * any more.
   */
  readonly request: {
    /** Its headers, the signature without its digest. */
    readonly headers: { readonly [name: string]: string };
    /** Its body as text: the event's envelope. */
    readonly body: string;
  } | null;
  /** What came back last; null where nothing did. */
  readonly response: {
    /** The HTTP status. */
    readonly status: number;
    /** Headers, as far as they are kept. */
    readonly headers: { readonly [name: string]: string };
    /** The beginning of the body as text, at most 4 KiB. */
    readonly body: string;
    /** Milliseconds until it came. */
    readonly ms: number;
  } | null;
  /**
   * Whether parts are not shown to this caller: what it may not hear of, or answers of private
   * targets.
   */
  readonly withheld: boolean;
};

export type WebhookDeliveryFailure = {
  /** What went wrong, for programs. */
  readonly code:
    | "status"
    | "redirect"
    | "no_answer"
    | "unknown_name"
    | "private_target"
    | "plain_http"
    | "connection"
    | "event_gone"
    | "failed";
  /** What belongs to the code. */
  readonly values: readonly (string | number)[];
};

/** One page of a list. */
export type WebhookDeliveryPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly WebhookDelivery[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

/** One page of a list. */
export type WebhookPage = {
  /** The rows of this page, in the order that was asked for. */
  readonly items: readonly Webhook[];
  /** Rows that the filters leave, without paging. */
  readonly total: number;
  /** Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`. */
  readonly limit: number;
  /** Rows to skip; 0 where it is left out. Beyond the end the page is empty. */
  readonly offset: number;
};

/** Either some deliveries by their ids, or all in a state. */
export type WebhookResend = {
  /** The deliveries' ids. */
  readonly ids?: readonly number[];
  /** Every delivery in this state. */
  readonly state?: "pending" | "delivered" | "dead";
};

/** Fields of a webhook. What is left out is kept. */
export type WebhookUpdate = {
  /** What people call it. */
  readonly name?: string;
  /** Where deliveries are sent: an absolute http(s) address. */
  readonly url?: string;
  /** The key of the signature. Empty: deliveries are not signed; in a change: it is kept. */
  readonly secret?: string;
  /** Events that it hears: names, or families as `user.*`. None: every one. */
  readonly events?: readonly string[];
  /** Whether it hears of its own account's users alone. */
  readonly ownOnly?: boolean;
  /** The account whose rights it hears with; kept where it is left out. */
  readonly adminId?: number;
  /** Whether it is switched on. */
  readonly enabled?: boolean;
  /** the `updatedAt` that the caller read */
  readonly version?: number;
};
