export { Copyable, useCopy } from './feedback/Copyable.tsx';
export { Empty, type EmptyProps } from './feedback/Empty.tsx';
export { Failure } from './feedback/Failure.tsx';
export { Num, Time } from './feedback/figures.tsx';
export { Host } from './feedback/Host.tsx';
export { Page, useDocumentTitle } from './feedback/Page.tsx';
export { Status, type StatusKind } from './feedback/Status.tsx';
