#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "JSONBlocks.h"

// Rows, checksums and column files are words of 64 bits, and an attribute `Int` has 64 bits in a file.
_Static_assert(sizeof(void *) == 8, "StoreCoder requires 64-bit pointers; for a watch, build for arm64");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "StoreCoder requires a little-endian processor");

/// The initialization mode of `@Persisted` wrappers created on this thread.
///
///   0  plain: the declared default is evaluated (an object that the user creates)
///   1  accessor: no default is evaluated (an object that reads through to a row)
///   else the address of the probe that learns a class's attributes
///
/// A C thread-local because reading it costs one instruction; it is read once for each attribute of every object
/// created.
extern _Thread_local uintptr_t store_wrapper_mode;

static inline uintptr_t store_wrapper_mode_get(void) { return store_wrapper_mode; }
static inline void store_wrapper_mode_set(uintptr_t mode) { store_wrapper_mode = mode; }

/// Prefetches the cache line at `address`. Any address is valid, since nothing is read.
static inline void store_prefetch(const void *address) { __builtin_prefetch(address); }

/// The size of the heap block at `address`: at least that of the instance that begins there. (The C library's module
/// does not expose the header that declares this to Swift.)
uintptr_t store_heap_block_size(const void *address);

/// Finds the device and the inode of the file at `path`; returns false if there is none. Unlike `stat`, it does not read the
/// times of the file: Linux stores a finer time with the next write to a file whose times were read, which makes a durable
/// commit 40 µs slower.
bool store_file_identity(const char *path, uint64_t *device, uint64_t *inode);
