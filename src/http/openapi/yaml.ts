// YAML 1.2 text of plain JSON data: block style, every string quoted as JSON quotes it.

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

function isCollection(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function lines(value: unknown, indent: string): string[] {
  if (!isCollection(value)) return [indent + JSON.stringify(value)];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const [first = "", ...rest] = lines(item, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  }
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .flatMap(([key, member]: [string, unknown]) => {
      const name = PLAIN_KEY.test(key) ? key : JSON.stringify(key);
      if (!isCollection(member)) return [`${indent}${name}: ${JSON.stringify(member)}`];
      return [`${indent}${name}:`, ...lines(member, `${indent}  `)];
    });
}

export function toYaml(value: unknown): string {
  return `${lines(value, "").join("\n")}\n`;
}
