// What webhooks are sent, as OpenAPI's `webhooks`: one request for each event, its `data` typed by the catalogue.
import type { Json } from "./components.ts";
import { pascal } from "./operation-ids.ts";
import type { Components } from "./components.ts";

/** An event as the description needs it. */
export interface DescribedEvent {
  readonly name: string;
  readonly family: string;
  readonly scope: string;
  readonly description: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
}

const INTEGER = { type: "integer", format: "int64" };
const TYPES: Readonly<Record<string, Json>> = {
  integer: INTEGER,
  string: { type: "string" },
  boolean: { type: "boolean" },
  "integer[]": { type: "array", items: INTEGER },
  "string[]": { type: "array", items: { type: "string" } },
  object: { type: "object", additionalProperties: true },
  NodeCause: { $ref: "#/components/schemas/NodeCause" },
  "NodeNotice[]": { type: "array", items: { $ref: "#/components/schemas/NodeNotice" } },
};

const HEADERS: readonly (readonly [name: string, required: boolean, description: string, schema: Json])[] = [
  ["X-Panel-Event", true, "The event's name.", { type: "string" }],
  [
    "X-Panel-Delivery",
    true,
    "Names the delivery: the same on every attempt, so that a repeat is known by it.",
    { type: "string", pattern: "^[0-9]+$" },
  ],
  [
    "X-Panel-Signature",
    false,
    "`t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 with the webhook's secret over the time, a dot and the body's bytes. Absent where the webhook has no secret.",
    { type: "string", pattern: "^t=[0-9]+,v1=[0-9a-f]{64}$" },
  ],
];

/** Fields whose events say how many of them there are, or leave them out, in some cases. */
function dataSchema({ name, fields, description }: DescribedEvent): Json {
  return {
    type: "object",
    description: `What \`${name}\` tells: ${description}.`,
    properties: Object.fromEntries(fields.map(({ name: field, type }) => [field, { ...TYPES[type] }])),
  };
}

function envelope(event: DescribedEvent, data: Json): Json {
  return {
    type: "object",
    description: `The event \`${event.name}\`: ${event.description}.`,
    required: ["v", "id", "event", "time", "data"],
    properties: {
      v: { type: "integer", const: 1 },
      id: { ...INTEGER, minimum: 1 },
      event: { type: "string", const: event.name },
      time: { ...INTEGER, minimum: 0 },
      data,
      recipients: { type: "array", items: INTEGER },
    },
  };
}

/** The name of an event's schemas: `user.created` → `UserCreated`. */
function schemaName(name: string): string {
  return name.split(/[._]/).map(pascal).join("");
}

export function webhooksOf(events: readonly DescribedEvent[], components: Components): Json {
  return Object.fromEntries(
    events.map((event) => {
      const name = schemaName(event.name);
      const data = components.add(`${name}Data`, dataSchema(event));
      const body = components.add(`${name}Event`, envelope(event, data));
      return [event.name, { post: webhook(event, name, body) }];
    }),
  );
}

function webhook(event: DescribedEvent, name: string, schema: Json): Json {
  return {
    operationId: `on${name}`,
    tags: ["webhooks"],
    summary: `${event.description.charAt(0).toUpperCase()}${event.description.slice(1)}`,
    description:
      event.scope === "" ? "Every webhook may hear it." : `Heard by webhooks of accounts that hold \`${event.scope}\`.`,
    parameters: HEADERS.map(([header, required, description, form]) => ({
      name: header,
      in: "header",
      required,
      description,
      schema: form,
    })),
    requestBody: { required: true, content: { "application/json": { schema } } },
    security: [],
    "x-scopes": event.scope === "" ? [] : [event.scope],
    responses: {
      "2XX": { description: "The delivery has arrived. Any other answer is retried." },
    },
  };
}
