/** Square matrices as images: darker means larger. */
export interface HeatMap {
  readonly title: string;
  readonly panels: readonly HeatPanel[];
}

export interface HeatPanel {
  readonly name: string;
  /** CSS colour of the largest value. */
  readonly colour: string;
  /** Rows. */
  readonly size: number;
  /** Row by row; 0 is white, 1 and above full colour. */
  readonly values: ArrayLike<number>;
  /** Lines are drawn after so many rows and columns. */
  readonly borders: readonly number[];
}

const PANEL = 240;
const GAP = 24;
const TOP = 64;
const BOTTOM = 16;
const SHADES = 24;

/** The panels side by side as an SVG image with a white ground. */
export function formatHeatMap({ title, panels }: HeatMap): string {
  const width = GAP + panels.length * (PANEL + GAP);
  const height = TOP + PANEL + BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#333">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${GAP}" y="26" font-size="15" font-weight="600">${title}</text>`,
    ...panels.flatMap((panel, i) => drawPanel(panel, GAP + i * (PANEL + GAP))),
    '</svg>\n',
  ].join('\n');
}

function drawPanel({ name, colour, size, values, borders }: HeatPanel, left: number): string[] {
  const cell = PANEL / Math.max(1, size);
  const place = (n: number) => Math.round(100 * n * cell) / 100;
  // One path for all cells of a shade keeps the file small.
  const paths = Array.from({ length: SHADES + 1 }, () => '');
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const value = Math.min(1, Math.max(0, values[row * size + column]!));
      const shade = Math.round(SHADES * value);
      paths[shade] += `M${place(column)} ${place(row)}h${place(1)}v${place(1)}h-${place(1)}z`;
    }
  }
  const shades = paths.flatMap((path, shade) =>
    shade === 0 || path === ''
      ? []
      : [`<path d="${path}" fill="${colour}" fill-opacity="${(shade / SHADES).toFixed(2)}"/>`],
  );
  const lines = borders.map((n) => `M${place(n)} 0V${PANEL}M0 ${place(n)}H${PANEL}`).join('');
  return [
    `<text x="${left}" y="${TOP - 12}">${name}</text>`,
    `<g transform="translate(${left} ${TOP})">`,
    ...shades,
    `<path d="M0 0H${PANEL}V${PANEL}H0z${lines}" fill="none" stroke="#333" stroke-width="0.5"/>`,
    '</g>',
  ];
}
