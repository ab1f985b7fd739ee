/* The system's SQLite: `apt install libsqlite3-dev` or `brew install sqlite`. */
#ifndef STORECODER_SQLITE_SHIM_H
#define STORECODER_SQLITE_SHIM_H
#include <sqlite3.h>
#endif
