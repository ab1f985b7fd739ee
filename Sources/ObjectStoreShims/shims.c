#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "ObjectStoreShims.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

#include <fcntl.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/sysmacros.h>
#endif

_Thread_local uintptr_t store_wrapper_mode = 0;

uintptr_t store_heap_block_size(const void *address) {
#if defined(__APPLE__)
  return malloc_size(address);
#else
  return malloc_usable_size((void *)address);
#endif
}

bool store_file_identity(const char *path, uint64_t *device, uint64_t *inode) {
#if defined(STATX_INO)
  struct statx found;
  if (statx(AT_FDCWD, path, 0, STATX_INO, &found) == 0) {
    *device = makedev(found.stx_dev_major, found.stx_dev_minor);
    *inode = found.stx_ino;
    return true;
  }
#endif
  // Also for systems without `statx`.
  struct stat known;
  if (stat(path, &known) != 0) return false;
  *device = (uint64_t)known.st_dev;
  *inode = (uint64_t)known.st_ino;
  return true;
}
