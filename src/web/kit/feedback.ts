export { Amount, shownAmount } from './feedback/Amount.tsx';
export { Copyable, useCopy } from './feedback/Copyable.tsx';
export { useDocumentTitle } from './feedback/documentTitle.ts';
export { Empty, type EmptyProps } from './feedback/Empty.tsx';
export { Failure } from './feedback/Failure.tsx';
export { Num, Time } from './feedback/figures.tsx';
export { Host } from './feedback/Host.tsx';
export { Page } from './feedback/Page.tsx';
export { Status, type StatusKind } from './feedback/Status.tsx';
