/** A statement that any server answers at once. */
export const areYouThere = 'SELECT';
