/* The system's SQLite, a baseline of the benchmarks. */
#ifndef STOREBENCH_SQLITE_SHIM_H
#define STOREBENCH_SQLITE_SHIM_H
#include <sqlite3.h>
#endif
