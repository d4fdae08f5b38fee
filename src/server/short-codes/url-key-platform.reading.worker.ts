import { query } from 'json-p3';
import { serveTasks } from '../kit/bounded/child.ts';

/** What a process is given: the part of an answer to look at, and where the wanted text stands in it. */
export type ReadingTask = { kind: 'json' | 'regex'; path: string; body: string };
export type ReadingResult = { found: string | null } | { fault: 'not_json' | 'bad_path' };

function readJson(body: string, path: string): ReadingResult {
  let document: Parameters<typeof query>[1];
  try {
    document = JSON.parse(body);
  } catch {
    return { fault: 'not_json' };
  }
  try {
    const [first] = query(path, document).values();
    return { found: typeof first === 'string' || typeof first === 'number' ? String(first) : null };
  } catch {
    return { fault: 'bad_path' };
  }
}

function readMatch(body: string, path: string): ReadingResult {
  try {
    const match = new RegExp(path, 'u').exec(body);
    return { found: match?.[1] ?? match?.[0] ?? null };
  } catch {
    return { fault: 'bad_path' };
  }
}

serveTasks<ReadingTask, ReadingResult>(({ kind, path, body }) => (kind === 'json' ? readJson(body, path) : readMatch(body, path)));
