import { patchLine } from './patch.ts';
import './patch.css';

/** The soft ground of every picture, behind what is a picture itself. */
export function Patch() {
  return (
    <svg className="lc-art lc-art-patch" viewBox="20 10 200 160" preserveAspectRatio="none" aria-hidden="true">
      <path className="s" d={patchLine} />
    </svg>
  );
}
