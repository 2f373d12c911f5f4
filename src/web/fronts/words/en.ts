// Words of domain fronts, in English.
import { plural } from "../../words/plural.ts";

export const page = {
  title: "Fronts",
  count: (count: number, shown: string) => plural("en", count, { one: `${shown} front`, other: `${shown} fronts` }),
  add: "Add front",
  create: "Create front",
  gone: "There is no such front",
  search: "Name, domain, address or remark",
  none: {
    title: "No fronts yet",
    text: "A front is another way to an inbound: through a CDN, or a proxy before the node.",
  },
  groups: { front: "Front", reaches: "How clients reach it", more: "The client’s address" },
  fields: {
    name: "Name",
    domain: "Domain",
    address: "Address",
    port: "Port",
    sni: "Name in TLS",
    path: "Path",
    remark: "Remark",
    enabled: "On",
    clientHeader: "Header of the front",
    inboundIds: "Inbounds",
  },
  help: {
    domain: "What clients ask for in Host.",
    address: "Where clients connect: an address of the CDN that is not blocked.",
    sni: "What clients ask for in TLS.",
    path: "If the front maps it to the inbound’s own.",
    remark: "Ends the name of the entry.",
    inboundIds: "Only ws, httpupgrade, grpc and xhttp without REALITY pass through a front.",
    clientHeader:
      "Where a request has it, xhttp inbounds take the client’s address from X-Forwarded-For. Let only the front reach the node, or leave this empty. A change ends the connections of these inbounds.",
  },
  asDomain: "The domain",
  usualPort: "443",
  ownPath: "The inbound’s own",
  ownName: "The name",
  nobody: "Nobody is believed",
  states: { on: "On", off: "Off" },
  state: "State",
  switchOn: "Switch on",
  switchOff: "Switch off",
  switchedOn: (name: string) => `${name} is on. Clients get it with their next fetch.`,
  switchedOff: (name: string) => `${name} is off. Clients lose it with their next fetch.`,
  remove: "Delete",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: (count: number, shown: string) =>
    plural("en", count, {
      one: `It leaves ${shown} inbound. Clients lose its entry with their next fetch.`,
      other: `It leaves ${shown} inbounds. Clients lose its entries with their next fetch.`,
    }),
  removed: (name: string) => `${name} is deleted.`,
  saved: (name: string) => `${name} is saved. Clients get it with their next fetch.`,
  gives: {
    title: "What clients get",
    server: "Connects to",
    host: "Host",
    tls: "TLS",
    noTls: "None: a port for plain HTTP",
    path: "Path",
    entry: "Name ends with",
    off: "Nothing: the front is off.",
    nowhere: "Nothing: it has no inbound yet.",
  },
  of: {
    choose: "Add a front",
    newOne: "New front",
    none: "Clients reach this inbound at its nodes alone.",
    order: "Clients get an entry for each, in this order, beside those of the nodes.",
    alone: "Clients get an entry for each, in this order, and none of the nodes.",
    unfit: "This inbound cannot be behind a front now: its fronts give nothing.",
    most: (most: string) => `At most ${most}.`,
    moveUp: (name: string) => `Move ${name} up`,
    moveDown: (name: string) => `Move ${name} down`,
    take: (name: string) => `Take ${name} away`,
    saved: (inbound: string) => `The fronts of ${inbound} are saved.`,
  },
};

export const titles = {
  fronts: "Fronts",
  newFront: "New front",
};

export const subjects = {
  fronts: "Front",
};

export const actions = {
  fronts: "fronts chosen",
};

export const refusals = {
  too_many_fronts: "An inbound has at most 20 fronts.",
};
