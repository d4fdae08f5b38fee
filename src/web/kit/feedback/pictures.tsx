import type { ReactNode } from 'react';

export type PictureName = 'list' | 'search' | 'chart' | 'error' | 'lock' | 'road';

const pictures: Record<PictureName, ReactNode> = {
  list: (
    <>
      <rect x="34" y="22" width="92" height="68" rx="8" />
      <path d="M34 40h92" />
      <circle cx="45" cy="31" r="2.5" />
      <circle cx="54" cy="31" r="2.5" />
      <path d="M48 54h12M68 54h44M48 66h12M68 66h32M48 78h12M68 78h38" />
      <path className="lc-picture-accent lc-picture-plus" d="M140 84v20M130 94h20" />
    </>
  ),
  search: (
    <>
      <rect x="32" y="24" width="72" height="64" rx="8" />
      <path d="M44 40h36M44 52h26M44 64h18" />
      <circle className="lc-picture-accent" cx="102" cy="66" r="20" />
      <path className="lc-picture-accent" d="M117 81l14 14M95 59l14 14M109 59l-14 14" />
    </>
  ),
  chart: (
    <>
      <path d="M36 22v66h92" />
      <path d="M50 76v-14M68 76V54M86 76v-8M104 76V46" />
      <path className="lc-picture-accent" d="M48 48l20-12 18 8 22-20" />
      <circle className="lc-picture-accent" cx="108" cy="24" r="3" />
    </>
  ),
  error: (
    <>
      <rect x="34" y="22" width="92" height="68" rx="8" />
      <path d="M34 40h92" />
      <circle cx="45" cy="31" r="2.5" />
      <circle cx="54" cy="31" r="2.5" />
      <path className="lc-picture-accent" d="M66 54l10 10-10 10M94 54L84 64l10 10" />
      <path d="M56 98h48" />
    </>
  ),
  lock: (
    <>
      <rect x="52" y="50" width="56" height="42" rx="8" />
      <path d="M62 50V38a18 18 0 0 1 36 0v12" />
      <circle className="lc-picture-accent" cx="80" cy="68" r="5" />
      <path className="lc-picture-accent" d="M80 73v8" />
    </>
  ),
  road: (
    <>
      <path d="M80 96V34" />
      <path d="M80 24h34l10 10-10 10H80z" />
      <path className="lc-picture-accent" d="M80 52H50l-10 9 10 9h30z" />
      <path d="M62 96h36" />
    </>
  ),
};

/** Line art for empty, error and no-rights states; decoration only. */
export function EmptyPicture({ name }: { name: PictureName }) {
  return (
    <svg className="lc-picture" viewBox="0 0 160 110" width="160" height="110" aria-hidden="true">
      {pictures[name]}
    </svg>
  );
}
