// What of a logger the feature uses.

export interface Log {
  warn(details: object, message: string): void;
}
