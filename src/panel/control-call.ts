// Calls to the control socket of a running panel. Loads nothing of the panel: a command that only asks starts at once.
import { request, type IncomingMessage } from "node:http";
import { z } from "zod";

const Answer = z.union([z.object({ result: z.unknown() }), z.object({ error: z.string() })]);
/** A page of a thousand actors has some hundred kilobytes. */
const ANSWER_LIMIT = 64 * 1024 * 1024;

/** A whole message, of at most `limit` characters. */
export async function textOf(message: IncomingMessage, limit: number): Promise<string> {
  let text = "";
  for await (const chunk of message.setEncoding("utf8")) {
    text += chunk;
    if (text.length > limit) throw new Error("the message is too large");
  }
  return text;
}

/** Asks a running panel. Rejects with its sentence, or with the socket's error when none runs. */
export function askPanel(path: string, command: string, values: Readonly<Record<string, string>>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: path, method: "POST" }, (response) => {
      textOf(response, ANSWER_LIMIT)
        .then((text) => {
          const answer = Answer.parse(JSON.parse(text));
          if ("error" in answer) reject(new Error(answer.error));
          else resolve(answer.result);
        })
        .catch(reject);
    });
    call.once("error", reject);
    call.end(JSON.stringify({ command, arguments: values }));
  });
}
