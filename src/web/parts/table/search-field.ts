// Where the key `/` finds the search of a list.

export const SEARCH_ID = "list-search";
