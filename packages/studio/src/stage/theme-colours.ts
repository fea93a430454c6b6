/** The stage's colours, read from the page's style so that light and dark are decided in one place. */
export type StageColours = ReturnType<typeof readStageColours>;

export function readStageColours() {
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
    /** What is at its limit. */
    warning: read('warning'),
    /** Of words on the stage, and what lies behind them. */
    ink: readAny('ink'),
    paper: readAny('raised'),
    shadow: Number(read('shadow')),
    sky: read('sky'),
    earth: read('earth'),
  };
}
