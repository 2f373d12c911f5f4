// The part of a logger that the feature uses.

export interface Log {
  warn(details: object, message: string): void;
}
