// Words of the profile, in English.

export const page = {
  title: "Profile",
  account: {
    title: "Account",
    username: "Username",
    role: "Role",
    tier: "Kind",
    owner: "Owner of this panel",
    scopes: "Permissions",
    scopesCount: (count: number) => (count === 1 ? "1 permission" : `${String(count)} permissions`),
  },
  shown: {
    title: "Display",
    note: "Kept with your account: it is the same in every browser.",
    language: "Language",
    theme: "Theme",
    calendar: "Calendar",
    calendars: { gregory: "Gregorian", persian: "Jalali" },
    zone: "Times in the zone of",
    zones: {
      panel: (name: string) => `the panel (${name})`,
      panelUnknown: "the panel",
      browser: (name: string) => `this browser (${name})`,
    },
  },
  password: {
    title: "Password",
    current: "Current password",
    next: "New password",
    repeat: "New password again",
    rule: "8 to 256 characters, not the username. Your other sessions end.",
    differs: "The two passwords differ.",
    wrong: "That is not your password.",
    change: "Change the password",
    done: "The password is changed; your other sessions ended.",
  },
  factor: {
    onBadge: "On",
    offBadge: "Off",
    title: "Two-factor sign-in",
    off: "A stolen password is enough to get in.",
    on: (since: string) => `Since ${since}.`,
    codesLeft: (count: number) =>
      count === 1 ? "1 recovery code is left." : `${String(count)} recovery codes are left.`,
    begin: "Switch on",
    scan: "Scan this with an authenticator app, then enter the six digits that it shows.",
    secret: "Or type the secret",
    code: "Code",
    cancel: "Cancel",
    wrong: "That code is wrong or was used already. Wait for the next one.",
    codesTitle: "Save your recovery codes",
    codesText: "Each signs you in once when the authenticator is lost.",
    renew: "New recovery codes",
    renewText: "Ten new codes take the place of the old ones. Enter a code of your authenticator.",
    end: "Switch off",
    endText: "Signing in will need the password alone. Enter a code of your authenticator, or a recovery code.",
    endConfirm: "Switch two-factor off",
    ended: "Two-factor sign-in is off.",
    started: "Two-factor sign-in is on.",
  },
  sessions: {
    title: "Sessions",
    note: "Where you are signed in.",
    current: "This one",
    device: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: "Unknown program",
    seen: "Last seen",
    since: "Signed in",
    until: "Ends",
    remembered: "stays for 30 days",
    via: { password: "by password", oidc: "by an identity provider" },
    end: "End",
    ended: "The session is ended.",
    endOthers: "End all others",
    endOthersTitle: "End all other sessions?",
    endOthersText: (count: number) =>
      count === 1
        ? "1 session is signed out at once, wherever it is."
        : `${String(count)} sessions are signed out at once, wherever they are.`,
    othersEnded: "All other sessions are ended.",
  },
  links: {
    title: "Identity providers",
    note: "Sign in without the password, through accounts that you link here.",
    none: "Nothing is linked.",
    link: (provider: string) => `Link ${provider}`,
    linkText: "Enter your password; then the provider asks you to sign in there.",
    password: "Password",
    goOn: "Continue",
    cancel: "Cancel",
    unlink: "Unlink",
    unlinkTitle: (provider: string) => `Unlink ${provider}?`,
    unlinkText: "It signs nobody in here any more. Sessions that came from it stay.",
    unlinked: "The link is removed.",
    used: "Last used",
    never: "never",
    landed: {
      linked: "The identity is linked: you can sign in with it.",
      "link-taken": "That identity is linked to another account already.",
      "link-error": "The identity could not be linked. Try again.",
    },
  },
};

export const titles = {
  profile: "Profile",
};

export const subjects = {
  "oidc-links": "Linked identity",
  sessions: "Session",
};

export const actions = {
  login: "signed in",
  logout: "signed out",
  confirm: "second factor confirmed",
  password: "password changed",
  "2fa.enrol": "set-up of two-factor begun",
  "2fa.enable": "two-factor turned on",
  "2fa.disable": "two-factor turned off",
  "2fa.recovery": "new recovery codes made",
  "sessions.delete": "sessions ended",
  interface: "interface arranged",
  start: "linking begun",
};
