/** Hears what a worker of the page says, and when it died: its script failed or could not be loaded. */
export function hearWorker<T>(
  worker: Worker,
  onMessage: (message: T) => void,
  onDeath: (reason: string) => void,
): void {
  worker.onmessage = ({ data }: MessageEvent<T>) => onMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    onDeath(event.message || 'its script could not be loaded');
  };
}
