// Foreign text in the middle of a right-to-left sentence, kept in its own direction. For dictionaries: in markup
// `<bdi>` does this.

/** A name that people gave: its own letters say its direction. */
export const own = (name: string) => `\u2068${name}\u2069`;

/** An address, number with a Latin unit, or code: always left to right. */
export const ltr = (text: string) => `\u2066${text}\u2069`;
