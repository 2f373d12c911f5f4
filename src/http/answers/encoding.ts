// Which of the encodings that there are a client takes (RFC 9110, 12.5.3).

export type Encoding = "br" | "gzip";

/** No program names more: a longer list says nothing, and nobody reads it. */
const LONGEST = 512;

/** The best of `offered` that the client takes; undefined: as it is. */
export function chooseEncoding(accepted: string, offered: readonly Encoding[]): Encoding | undefined {
  if (accepted.length > LONGEST) return undefined;
  const weights = new Map(
    accepted.split(",").map((item) => {
      const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  const taken = (encoding: Encoding): boolean => (weights.get(encoding) ?? weights.get("*") ?? 0) > 0;
  return (["br", "gzip"] as const).find((encoding) => offered.includes(encoding) && taken(encoding));
}
