/**
 * What the page asked for while its code was still on the way (`start/early.js`), by path. An answer is handed over once, to the same
 * question of the same session.
 */
type Early = { token: string | null; language: string; answers: Record<string, Promise<Response | undefined>> };

declare global {
  interface Window {
    livecodeEarly?: Early;
  }
}

export async function takeEarlyAnswer(path: string, body: string, token: string | null, language: string): Promise<Response | undefined> {
  const early = typeof window === 'undefined' ? undefined : window.livecodeEarly;
  const answer = early?.answers[path];
  if (!early || !answer || body !== '{}') return undefined;
  delete early.answers[path];
  return early.token === token && early.language === language ? answer : undefined;
}
