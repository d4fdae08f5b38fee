/** Where visitors read a document: the back office's own address and the public route. */
export const documentAddress = (id: number): string => `${location.origin}${location.pathname}#/document/${id}`;
