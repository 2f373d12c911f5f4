// The page's words in English; the other languages have the same keys, or do not compile.

export const en = {
  title: "Your subscription",
  language: "Language",
  status: {
    active: "Active",
    pending: "Ready to start",
    expired: "Expired",
    limited: "Traffic used up",
    disabled: "Switched off",
  },
  explained: {
    active: "Everything works. Add the subscription to an app.",
    pending: "Your time starts with the first connection. Add the subscription to an app.",
    expired: "Your time is over. Once you renew, the same link works again: keep it in your app.",
    limited: "You have used all of your traffic. Once you renew, the same link works again: keep it in your app.",
    disabled: "This subscription is switched off. Please ask your provider.",
    provider: "Your provider has paused all subscriptions. Please ask them.",
  },
  ends: (when: string) => `Ends ${when}`,
  ended: (when: string) => `Ended ${when}`,
  endless: "No end date",
  lasts: (time: string) => `${time} from the first connection`,
  left: (bytes: string) => `${bytes} left`,
  used: (used: string, limit: string) => `${used} of ${limit} used`,
  usedOpen: (used: string) => `${used} used, no limit`,
  usage: "Traffic",
  validity: "Valid until",
  today: "today",
  resets: "Counts from zero on",
  connect: "Connect",
  connectText: "Choose your device, then an app.",
  device: "Your device",
  get: (app: string) => `Install ${app}`,
  stores: { store: "Get the app" },
  add: "Add your subscription with one tap.",
  addButton: (app: string) => `Add to ${app}`,
  paste: "Open the app, choose “Import from clipboard” and paste your link.",
  start: "Choose a server in the app and connect.",
  noApps: "There is no app for this device here. Copy your link into the app that you use.",
  link: "Your link",
  linkText: "It belongs to you alone. Do not pass it on.",
  copy: "Copy",
  copied: "Copied",
  copyByHand: "Selected: copy it by hand",
  qr: "Show the QR code large",
  qrText: "Scan it with the app on another device.",
  close: "Close",
  devices: "Devices",
  devicesOf: (used: string, limit: string) => `${used} of ${limit} devices`,
  seen: (when: string) => `Last seen ${when}`,
  deviceUnknown: "A device without a name",
  forget: "Remove",
  forgetSure: "Sure? Tap again",
  forgotten: "Removed",
  forgetFailed: "Did not work. Try again.",
  forgetText: "A removed device frees its place. It comes back when its app updates the subscription.",
  servers: (count: string) => `Servers one by one (${count})`,
  serversText: "Only for apps that cannot read the link above.",
  serverQr: (name: string) => `QR code of ${name}`,
  more: (count: string) => `and ${count} more, which apps get with the link above`,
  support: "Contact support",
  updated: (when: string) => `As of ${when}`,
};

export type PageWords = {
  readonly [K in keyof typeof en]: (typeof en)[K] extends string
    ? string
    : (typeof en)[K] extends (...args: infer A) => string
      ? (...args: A) => string
      : { readonly [L in keyof (typeof en)[K]]: string };
};
