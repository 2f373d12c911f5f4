// Addresses in setup: where the panel will be, as this browser and as others see it. Pure.

/** The address of the page, as `location` gives it. */
export interface PageAddress {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
  readonly origin: string;
}

/** Fields of setup that decide it. */
export interface AddressFields {
  readonly web_domain: string;
  readonly web_tls_mode: "self_signed" | "files" | "none";
  readonly web_listen_port: string;
  readonly web_basepath: string;
}

/** Programs of one machine alone reach a host of this name. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host);
}

/** While setup is pending the panel speaks plain HTTP: what comes over TLS comes through a proxy. */
export function isProxied({ protocol }: PageAddress): boolean {
  return protocol === "https:";
}

function originAt(scheme: "http" | "https", host: string, port: string): string {
  const usual = scheme === "http" ? "80" : "443";
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `${scheme}://${name}${port === "" || port === usual ? "" : `:${port}`}`;
}

/** How the panel says by itself that it is reached, when it is set up so. */
export function ownOrigin(fields: AddressFields, page: PageAddress): string {
  const { web_domain: domain, web_tls_mode: mode, web_listen_port: typed } = fields;
  const host = domain || page.hostname;
  const scheme = mode === "none" ? "http" : "https";
  // On loopback it is reached under another name only through something that stands before it.
  if (isLoopback(page.hostname) && !isLoopback(host)) return originAt("https", host, "");
  return originAt(scheme, host, typed || page.port);
}

/** What is proposed as the address: the one that the page was opened under, as it will be then. */
export function proposedUrl(fields: AddressFields, page: PageAddress): string {
  return isProxied(page) ? page.origin : ownOrigin(fields, page);
}

/** What is written as `web_url`: nothing that the panel knows without it, so that a port may change later. */
export function chosenUrl(typed: string, fields: AddressFields, page: PageAddress): string {
  const url = typed.trim().replace(/\/+$/, "");
  return !isProxied(page) && url === ownOrigin(fields, page) ? "" : url;
}

/** Where this browser finds the panel after the restart, whatever is said to others. */
export function nearbyUrl(fields: AddressFields, listen: string | undefined, page: PageAddress): string {
  const home = `${fields.web_basepath}/`;
  if (isProxied(page)) return `${page.origin}${home}`;
  const port = listen === undefined && fields.web_listen_port !== "" ? fields.web_listen_port : page.port;
  return `${originAt(fields.web_tls_mode === "none" ? "http" : "https", page.hostname, port || (page.protocol === "http:" ? "80" : "443"))}${home}`;
}
