// The apps that the page offers, as data that an operator can replace (setting `sub_apps`): names, stores, and the link
// by which an app takes a subscription.
import { z } from "zod";
import { line } from "../../http/index.ts";
import { Link, PICTURE } from "./html.ts";
import { LANGUAGE_CODES, type PageLanguage } from "./language.ts";
import { PLATFORMS, type Platform } from "./platform.ts";

const name = line(40).min(1);
const storeUrl = z
  .string()
  .max(300)
  .regex(/^https:\/\/[^\s/]+/);

/** `{url}` is the subscription's address, `{encoded}` and `{base64}` are forms of it, `{name}` is its title. */
const importLink = z
  .string()
  .max(300)
  .refine((text) => Link.app(text) !== undefined && /\{(?:url|encoded|base64)\}/.test(text));

/** Characters of an icon's address: about 3 kB of picture. */
const ICON_LENGTH = 4096;
/** Characters of the icons and steps of all apps. The page has to stay small. */
const DRESSING = 16_384;

export const SubApp = z.strictObject({
  name: name.describe("of the app"),
  /** Where people get it, by platform; a platform that is not named does not list the app. */
  stores: z
    .partialRecord(z.enum(PLATFORMS), storeUrl)
    .refine((stores) => Object.keys(stores).length > 0)
    .describe("where people get it, by platform"),
  /** Absent: the app has no link of its own, and people paste. */
  import: importLink.optional().describe("the link by which it takes a subscription"),
  /** Absent: its first letter. */
  icon: z
    .string()
    .max(ICON_LENGTH)
    .regex(PICTURE)
    .optional()
    .describe("a small picture as `data:` address; absent: its first letter"),
  /** The first has the button of the store beside it, the second the one that adds the subscription. */
  steps: z
    .partialRecord(z.enum(LANGUAGE_CODES), z.array(line(160).min(1)).min(1).max(6))
    .optional()
    .describe("steps in the operator's own words, by language; absent: the page's own"),
});
export type SubApp = z.infer<typeof SubApp>;

export const SubApps = z
  .array(SubApp)
  .max(30)
  .refine((apps) => dressingOf(apps) <= DRESSING);

function dressingOf(apps: readonly SubApp[]): number {
  return apps.reduce(
    (sum, { icon = "", steps = {} }) => sum + icon.length + Object.values(steps).flat().join("").length,
    0,
  );
}

const APPLE = "https://apps.apple.com/app";
const PLAY = "https://play.google.com/store/apps/details?id=";
const GITHUB = "https://github.com";
const desktops = (url: string) => ({ windows: url, macos: url, linux: url });

/** What holds while an operator has set none. The first of a platform is the one that people are led to. */
export const DEFAULT_APPS: readonly SubApp[] = [
  {
    name: "Happ",
    stores: {
      ios: `${APPLE}/happ-proxy-utility/id6504287215`,
      android: `${PLAY}com.happproxy`,
      ...desktops(`${GITHUB}/Happ-proxy/happ-desktop/releases/latest`),
    },
    import: "happ://add/{url}",
  },
  {
    name: "Hiddify",
    stores: {
      ios: `${APPLE}/hiddify-proxy-vpn/id6596777532`,
      android: `${PLAY}app.hiddify.com`,
      ...desktops(`${GITHUB}/hiddify/hiddify-app/releases/latest`),
    },
    import: "hiddify://import/{url}#{name}",
  },
  {
    name: "v2rayNG",
    stores: { android: `${GITHUB}/2dust/v2rayNG/releases/latest` },
    import: "v2rayng://install-sub?url={encoded}&name={name}",
  },
  {
    name: "Streisand",
    stores: { ios: `${APPLE}/streisand/id6450534064`, macos: `${APPLE}/streisand/id6450534064` },
    import: "streisand://import/{url}#{name}",
  },
  {
    name: "INCY",
    stores: { ios: `${APPLE}/incy/id6756943388`, android: `${PLAY}llc.itdev.incy` },
    import: "incy://import/{url}",
  },
  {
    name: "v2RayTun",
    stores: { ios: `${APPLE}/v2raytun/id6476628951`, android: `${PLAY}com.v2raytun.android` },
    import: "v2raytun://import/{url}",
  },
  {
    name: "Shadowrocket",
    stores: { ios: `${APPLE}/shadowrocket/id932747118` },
    import: "shadowrocket://add/sub://{base64}?remark={name}",
  },
  {
    name: "Clash Verge Rev",
    stores: desktops(`${GITHUB}/clash-verge-rev/clash-verge-rev/releases/latest`),
    import: "clash://install-config?url={encoded}&name={name}",
  },
  {
    name: "Karing",
    stores: { ios: `${APPLE}/karing/id6472431552`, ...desktops(`${GITHUB}/KaringX/karing/releases/latest`) },
    import: "karing://install-config?url={encoded}&name={name}",
  },
];

/** Apps that take a link which does not show the address, by the link that shows it. */
const PLAIN_LINKS: Readonly<Record<string, "happ" | "incy">> = {
  "happ://add/{url}": "happ",
  "incy://import/{url}": "incy",
};

/** The apps with encrypted links in place of plain ones, where there are any (rule subscriptions.import.4). */
export function withEncrypted(
  apps: readonly SubApp[],
  encrypted: Readonly<Record<"happ" | "incy", string>>,
): readonly SubApp[] {
  return apps.map((app) => {
    const reader = app.import !== undefined && Object.hasOwn(PLAIN_LINKS, app.import) && PLAIN_LINKS[app.import];
    const link = reader ? encrypted[reader] : "";
    return link === "" ? app : { ...app, import: link };
  });
}

/** The apps of a platform, in their order. */
export function appsFor(apps: readonly SubApp[], platform: Platform): readonly SubApp[] {
  return apps.filter(({ stores }) => stores[platform] !== undefined);
}

/** An app's steps in the visitor's language, else in the page's own for others; undefined: the page has to tell. */
export function stepsOf(
  { steps }: SubApp,
  language: PageLanguage,
  otherwise: PageLanguage,
): readonly string[] | undefined {
  return steps?.[language] ?? steps?.[otherwise];
}

/** The link that opens the app with the subscription; undefined where the app has none. */
export function importLinkOf({ import: template }: SubApp, url: string, title: string): Link | undefined {
  if (template === undefined) return undefined;
  const values: Readonly<Record<string, string>> = {
    url,
    encoded: encodeURIComponent(url),
    base64: Buffer.from(url).toString("base64"),
    name: encodeURIComponent(title),
  };
  return Link.app(template.replaceAll(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole));
}
