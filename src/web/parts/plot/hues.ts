/** How many series a plot can tell apart by their colours (`plot.module.css`). */
export const HUES = 8;
