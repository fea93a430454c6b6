export function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** What went wrong, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
