/** The stage's colours, read from the page's style so that light and dark are decided in one place. */
export interface StageColours {
  readonly background: string;
  readonly grid: string;
  readonly tool: string;
  readonly environment: string;
  readonly shell: string;
  readonly device: string;
  readonly shadow: number;
  readonly sky: string;
  readonly earth: string;
}

export function readStageColours(): StageColours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--stage-${name}`).trim();
  return {
    background: read('background'),
    grid: read('grid'),
    tool: read('tool'),
    environment: read('environment'),
    shell: read('shell'),
    device: read('device'),
    shadow: Number(read('shadow')),
    sky: read('sky'),
    earth: read('earth'),
  };
}
