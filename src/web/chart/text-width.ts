// How wide words are in the font of the drawings, so that a layout needs no browser: the advances of printable ASCII in
// Inter, measured once.

/** Thousandths of the font's size, from the space on. */
const ADVANCES = {
  500: [
    267, 304, 494, 639, 646, 993, 653, 313, 369, 369, 521, 667, 303, 462, 303, 370, 646, 415, 616, 627, 656, 603, 630,
    571, 629, 630, 303, 315, 667, 667, 667, 527, 982, 709, 657, 733, 722, 603, 589, 748, 745, 272, 575, 688, 565, 913,
    756, 767, 642, 769, 648, 646, 653, 740, 709, 1003, 701, 696, 641, 369, 370, 369, 477, 463, 337, 568, 618, 577, 618,
    587, 379, 620, 602, 252, 252, 559, 252, 888, 602, 604, 618, 618, 387, 539, 340, 602, 575, 829, 557, 575, 559, 440,
    346, 440, 667,
  ],
  600: [
    252, 321, 523, 644, 650, 1004, 663, 326, 373, 373, 540, 673, 319, 465, 319, 379, 660, 423, 623, 636, 666, 612, 640,
    576, 640, 640, 319, 329, 673, 673, 673, 543, 999, 728, 659, 737, 722, 605, 588, 749, 746, 277, 580, 703, 565, 922,
    759, 769, 645, 773, 652, 650, 660, 736, 728, 1020, 720, 713, 652, 373, 379, 373, 481, 469, 351, 574, 624, 583, 624,
    591, 389, 625, 612, 262, 262, 569, 262, 900, 612, 609, 624, 624, 397, 549, 353, 612, 587, 839, 569, 588, 566, 455,
    359, 455, 673,
  ],
} as const;

/** Advance of a character that the table does not have: as wide as the widest common character. */
const UNKNOWN = 1000;

/** Width in pixels. */
export function textWidth(text: string, size: number, weight: keyof typeof ADVANCES): number {
  const advances = ADVANCES[weight];
  const thousandths = Array.from(text).reduce(
    (sum, character) => sum + (advances[character.charCodeAt(0) - 32] ?? UNKNOWN),
    0,
  );
  return (thousandths * size) / 1000;
}
