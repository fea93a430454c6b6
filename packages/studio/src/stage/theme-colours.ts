/** The stage's colours, read from the page's style so that light and dark are decided in one place. */
export interface StageColours {
  readonly background: string;
  readonly grid: string;
  readonly tool: string;
  readonly environment: string;
  readonly shell: string;
  readonly device: string;
  readonly force: string;
  readonly torque: string;
  /** What is at its limit. */
  readonly warning: string;
  /** Of words on the stage, and what lies behind them. */
  readonly ink: string;
  readonly paper: string;
  readonly shadow: number;
  readonly sky: string;
  readonly earth: string;
}

export function readStageColours(): StageColours {
  const style = getComputedStyle(document.documentElement);
  const readAny = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const read = (name: string) => readAny(`stage-${name}`);
  return {
    background: read('background'),
    grid: read('grid'),
    tool: read('tool'),
    environment: read('environment'),
    shell: read('shell'),
    device: read('device'),
    force: read('force'),
    torque: read('torque'),
    warning: read('warning'),
    ink: readAny('ink'),
    paper: readAny('raised'),
    shadow: Number(read('shadow')),
    sky: read('sky'),
    earth: read('earth'),
  };
}
