#ifndef HEARTH_PAGES_H
#define HEARTH_PAGES_H

#include <stddef.h>

/// A file of the console, as a browser gets it.
struct hearth_page {
    const char *name;
    /// The media type.
    const char *type;
    const unsigned char *bytes;
    size_t count;
};

/// Returns the file of a name, which lives as long as the process; NULL if there is none.
const struct hearth_page *hearth_page_named(const char *name);

#endif
