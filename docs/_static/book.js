// Search results show a few words of each page, which they fetch; a browser does not fetch from a folder.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
