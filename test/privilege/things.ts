// Records that belong to nobody's rights: what calls do to the model's list of them.
import type { Call } from "./call.ts";
import type { Model } from "./model.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a call that succeeded does to the model. */
export type Effect = (given: {
  model: Model;
  call: Call;
  body: Fields;
  answer: Fields;
  cookie: string;
  landing: string;
  by: string;
  now: number;
}) => void;

/** The record that the path names. */
export const target = (call: Call): string => (call.path?.["id"] ?? "").replace(/^@[^/]*\//, "");

/** A thing that was made: its id from the answer, its name from the body. */
export function made(model: Model, collection: string, name: unknown, answer: Fields, owner: string): void {
  model.things.set(`${collection}/${String(name)}`, { id: Number(answer["id"]), owner });
}

export const creates =
  (collection: string, name: string): Effect =>
  ({ model, body, answer, by }) =>
    made(model, collection, body[name], answer, by);

export const deletes =
  (collection: string): Effect =>
  ({ model, call }) =>
    model.things.delete(`${collection}/${target(call)}`);
