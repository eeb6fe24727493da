/** The address of a page of the console, for a database and a path in it. */
export function addressOf(page, { project, id }, path = []) {
  return `#/${[page, project, id, ...path].map(encodeURIComponent).join("/")}`;
}
