/** What the browser keeps for the page. Storage may be switched off: then it is forgotten when the page is left. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Forgotten, as said above.
  }
}
