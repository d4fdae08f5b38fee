/** The soft patch that all pictures stand before. */
export const patchLine = 'M28 98c-8-42 30-76 82-80 54-4 104 22 106 70 2 42-40 70-92 72-50 2-88-20-96-62z';
