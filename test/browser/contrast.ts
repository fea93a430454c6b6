/** Contrast of two colours as the accessibility guidelines (WCAG 2) define it, 1 to 21. */
export function contrast(first: string, second: string): number {
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

function luminance(colour: string): number {
  // The build shortens what can be shortened: #fff.
  const hex = colour.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
  if (!/^#[0-9a-f]{6}$/i.test(hex)) throw new Error(`"${hex}" is no colour of six hexadecimal digits.`);
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
