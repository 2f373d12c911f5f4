// Words about the drawings, in English. Text inside a drawing belongs to the chart and is not translated.

export const page = {
  drawing: (kind: string) => `State chart of ${kind}`,
  here: "the actor is here",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  fit: "Show all",
  detail: "Show events and deadlines",
  whole: "Show all states at once",
  centre: "Show the current state",
  canvas: "Drawing. Drag or use two fingers to move; plus, minus and 0 change the size.",
  legend: "What the lines mean",
  tones: {
    last: "came this way",
    takeable: "could go this way",
    ghost: "would go this way",
  },
  outline: "States as a list",
  outdated: "The drawing is of another version of this chart. Its states are listed instead.",
  undrawn: "This chart has no drawing. Its states are listed instead.",
  leads: "leads to",
  stays: "stays",
  anyState: "from any state within",
  perMinute: (count: string) => `${count} per minute`,
};
