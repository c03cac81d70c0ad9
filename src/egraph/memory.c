/* Blocks that grow. Small ones live in the heap; large ones are pages of their own, which mremap grows
 * without copying or touching them, so that no moment needs old and new block at once. Every byte is
 * counted before it is taken: that is what makes the memory limit hard. */
#include "internal.h"

#include <stdlib.h>
#include <sys/mman.h>

#define PAGES_FROM ((size_t)256 << 10)
#define PAGE ((size_t)4096)
#define HUGE_PAGE ((size_t)2 << 20)

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

/* Room to grow: double while small, an eighth more when large. */
static size_t generous(size_t old, size_t size) {
  size_t more = old < PAGES_FROM ? old * 2 : old + old / 8;
  return size > more ? size : more;
}

/* Address space of `size` bytes that starts at a huge page, so that the kernel can use huge pages. */
static void *pages_map(size_t size, int protection) {
  size_t whole = size + HUGE_PAGE;
  char *start = mmap(NULL, whole, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return NULL;
  char *data = (char *)round_up((size_t)start, HUGE_PAGE);
  if (data > start) munmap(start, (size_t)(data - start));
  if (start + whole > data + size) munmap(data + size, (size_t)(start + whole - (data + size)));
  return data;
}

static void *pages_resize(void *old, size_t old_size, size_t size) {
  void *data;
  if (!old)
    data = pages_map(size, PROT_READ | PROT_WRITE);
  else {
    data = mremap(old, old_size, size, 0);
    if (data == MAP_FAILED) {
      void *place = pages_map(size, PROT_NONE);
      if (!place) return NULL;
      data = mremap(old, old_size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place);
      if (data == MAP_FAILED) {
        munmap(place, size);
        return NULL;
      }
    }
  }
  if (data && size >= HUGE_PAGE) madvise(data, size, MADV_HUGEPAGE);
  return data;
}

static bool try_resize(Memory *memory, Region *region, size_t size) {
  size = round_up(size, size >= HUGE_PAGE ? HUGE_PAGE : size >= PAGES_FROM ? PAGE : 16);
  if (memory->used - region->size + size > memory->limit) return false;
  void *data;
  if (size < PAGES_FROM) {
    data = realloc(region->data, size);
    if (data) memset((char *)data + region->size, 0, size - region->size);
  } else if (region->size >= PAGES_FROM) {
    data = pages_resize(region->data, region->size, size);
  } else {
    data = pages_resize(NULL, 0, size);
    if (data && region->data) {
      memcpy(data, region->data, region->size);
      free(region->data);
    }
  }
  if (!data) return false;
  memory->used += size - region->size;
  if (memory->used > memory->peak) memory->peak = memory->used;
  region->data = data;
  region->size = size;
  return true;
}

bool region_reserve(Memory *memory, Region *region, size_t size) {
  if (size <= region->size) return true;
  return try_resize(memory, region, generous(region->size, size)) || try_resize(memory, region, size);
}

void region_free(Memory *memory, Region *region) {
  if (region->size >= PAGES_FROM)
    munmap(region->data, region->size);
  else
    free(region->data);
  memory->used -= region->size;
  *region = (Region){0};
}
