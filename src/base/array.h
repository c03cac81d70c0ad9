/* Array(T): a growable array in an arena.
 *
 *   Array(int) numbers = {0};
 *   array_push(&arena, &numbers, 7);
 *   for (uint32_t i = 0; i < numbers.count; i++) use(numbers.data[i]);
 *
 * Old storage is not reclaimed when an array moves; it goes with its arena. */
#ifndef ASSAY_BASE_ARRAY_H
#define ASSAY_BASE_ARRAY_H

#include "base/arena.h"

#define Array(T)                                                                                                       \
  struct {                                                                                                             \
    T *data;                                                                                                           \
    uint32_t count, capacity;                                                                                          \
  }

#define array_reserve(arena, array, wanted)                                                                            \
  do {                                                                                                                 \
    if ((array)->capacity < (wanted)) {                                                                                \
      uint32_t room_ = (array)->capacity ? (array)->capacity * 2 : 8;                                                  \
      if (room_ < (wanted)) room_ = (wanted);                                                                          \
      (array)->data = arena_grow((arena), (array)->data, sizeof *(array)->data * (array)->capacity,                    \
                                 sizeof *(array)->data * (size_t)room_);                                               \
      (array)->capacity = room_;                                                                                       \
    }                                                                                                                  \
  } while (0)

#define array_push(arena, array, ...)                                                                                  \
  do {                                                                                                                 \
    array_reserve((arena), (array), (array)->count + 1);                                                               \
    (array)->data[(array)->count++] = (__VA_ARGS__);                                                                   \
  } while (0)

typedef Array(const char *) NameList;

#endif
