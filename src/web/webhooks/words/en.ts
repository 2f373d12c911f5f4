// Words of the pages of webhooks, in English.
import type { DeliveryFailureWords } from "../../../events/delivery-failure.schema.ts";
import { plural } from "../../words/plural.ts";

export const page = {
  title: "Webhooks",
  newTitle: "New webhook",
  add: "Add webhook",
  create: "Create webhook",
  count: (n: number, shown: string) => plural("en", n, { one: "1 webhook", other: `${shown} webhooks` }),
  search: "Name or address",
  empty: {
    title: "No webhooks yet",
    text: "A webhook tells another program, such as a shop or a bot, what happens here.",
  },
  gone: "There is no such webhook",
  deliveryGone: "There is no such delivery",
  groups: { where: "Where to" },
  fields: {
    name: "Name",
    url: "Address",
    urlHelp: "Each event is posted there.",
    enabled: "On",
    account: "Account",
    accountHelp: "Whose users the events are about.",
    ownAccount: "The account that saves it",
    ownOnly: "Only events of its own account's users",
  },
  events: "Events",
  event: "Event",
  everything: "Everything",
  someEvents: "Chosen events",
  allOf: (family: string) => `${family}: all`,
  eventCount: (n: number) => plural("en", n, { one: "1 chosen", other: `${n} chosen` }),
  signIt: "Sign deliveries",
  signed: "Signed",
  unsigned: "Not signed",
  state: "State",
  lastStatus: "Last status",
  lastDelivered: "Last delivered",
  standing: { off: "off", failing: "failing", idle: "nothing sent yet", ok: "delivers" },
  test: "Send a test",
  isOff: "It is switched off.",
  enable: "Switch on",
  disable: "Switch off",
  rotate: "Replace the secret",
  sign: "Sign deliveries",
  rotateTitle: (name: string) => `A new secret for ${name}?`,
  rotateText: "Deliveries are signed with the new one at once. The receiver refuses them until it has it.",
  signText: "Deliveries are signed from now on.",
  secretOf: (name: string) => `Secret of ${name}`,
  secretText: "The receiver checks each delivery's signature with it.",
  remove: "Delete",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: "Its deliveries go with it, also those that are still to be sent.",
  settings: "Settings",
  deliveries: "Deliveries",
  states: { pending: "pending", delivered: "delivered", dead: "given up" },
  anyState: "All",
  searchEvents: "Name of an event",
  answer: "Answer",
  attempts: "Attempts",
  nextTry: "Next attempt",
  raisedAt: "Raised",
  resend: "Send again",
  resendDead: "Send all again that were given up",
  noDeliveries: { title: "Nothing was sent yet", text: "Send a test, or wait for the first event." },
  sent: "Sent",
  cameBack: "Answer",
  took: "Took",
  headers: "Headers",
  body: "Body",
  noBody: "No body.",
  withheld: "Your role may not see what was sent or what came back.",
  failures: {
    status: (status) => `The receiver answered ${status}`,
    redirect: (status) => `The receiver answered ${status}: redirects are not followed`,
    no_answer: (seconds) => `No answer within ${seconds} s`,
    unknown_name: (host) => `The name ${host} has no address`,
    private_target: (host) => `${host} is a private address, and these are not permitted`,
    plain_http: "Only https is permitted",
    connection: (code) => `The connection failed: ${code}`,
    event_gone: "The event is no longer stored",
    failed: (text) => text,
  } satisfies DeliveryFailureWords as DeliveryFailureWords,
  done: {
    created: (name: string) => `${name} is there`,
    saved: (name: string) => `${name} is saved`,
    enabled: (name: string) => `${name} is on`,
    disabled: (name: string) => `${name} is off`,
    removed: (name: string) => `${name} is deleted`,
    tested: (name: string) => `A test is on its way to ${name}`,
    resent: (n: number) =>
      plural("en", n, { one: "1 delivery is sent again", other: `${n} deliveries are sent again` }),
  },
};

export const titles = {
  webhooks: "Webhooks",
  newWebhook: "New webhook",
  deliveries: "Deliveries",
};

export const settingLabels = {
  webhook_allow_private: "Permit private addresses and plain http",
};

export const raised = {
  "panel.ping": "test event",
};

export const subjects = {
  webhooks: "Webhook",
};

export const actions = {
  ping: "test event sent",
  resend: "delivery sent again",
};

export const refusals = {
  webhook_off: "The webhook is switched off.",
};

export const rules = {
  event_filter: "Write the name of an event, or a family such as user.*",
};
