/* The system's SQLite: `apt install libsqlite3-dev` or `brew install sqlite`. */
#ifndef STORECODER_SQLITE_SHIM_H
#define STORECODER_SQLITE_SHIM_H
#include <sqlite3.h>

/* Prevents triggers from running for the statements of a connection. In C because Swift cannot call functions with
   variable arguments. Returns SQLite's result code. */
static inline int store_disable_triggers(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

#endif
