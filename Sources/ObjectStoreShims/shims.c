#include "ObjectStoreShims.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

_Thread_local uintptr_t store_wrapper_mode = 0;

uintptr_t store_heap_block_size(const void *address) {
#if defined(__APPLE__)
  return malloc_size(address);
#else
  return malloc_usable_size((void *)address);
#endif
}
