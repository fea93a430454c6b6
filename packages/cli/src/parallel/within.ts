/** Resolves with the promise, whatever becomes of it, or after so many milliseconds without it. */
export async function settledWithin(promise: Promise<unknown> | undefined, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise?.catch(() => {}), late]);
  clearTimeout(timer);
}
